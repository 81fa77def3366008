#!/bin/sh
# Stands in for a fuzz target that finds nothing.
sleep 1
