// NVBit's header that every tool includes once. The test needs nothing of it.
#pragma once
