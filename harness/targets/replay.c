/* Replaces an engine: runs a fuzz target on files. Usage: replay_TARGET FILE... */
#include "harness/targets/target.h"

int main(int argc, char **argv)
{
    (void)LLVMFuzzerInitialize(&argc, &argv);
    return harness_replay_files(argc, argv);
}
