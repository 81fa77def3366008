// The same file as C++11: an emulator may compile it as either. That it links and refuses is all that is tested here.
#include "harness/capture/picafuzz_capture.c"

static int no_memory(void *, uint32_t, uint8_t *, uint32_t)
{
    return 0;
}

int main()
{
    char why[PICAFUZZ_CAPTURE_WHY];
    picafuzz_capture *const frame = picafuzz_capture_begin(no_memory, nullptr);
    picafuzz_capture_list(frame, 0x20001000, 16);
    if (picafuzz_capture_end(frame, "never-written.picacap", why, sizeof why) == 1)
        return 1;
    puts(why);
    return 0;
}
