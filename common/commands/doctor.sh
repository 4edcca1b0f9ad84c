#!/bin/sh
# doctor.sh : looks for everything that Lockstep needs, and says where it is or how to get it.

exec sh common/commands/setup.sh doctor
