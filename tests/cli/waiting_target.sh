#!/bin/sh
# Stands in for a fuzz target that never begins to work.
sleep 1
