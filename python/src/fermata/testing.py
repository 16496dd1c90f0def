"""Assertions for tests of any framework."""

from __future__ import annotations

from .checks import assert_no_conflicts

__all__ = ["assert_no_conflicts"]
