// Modules that meet nothing outside for a while: their agenda runs on its own, ahead of SystemC's
// time, from one boundary to the next. What crosses the boundary is exchanged there by its owner.
//
// Within a run nothing of SystemC's kernel is called: no event, no process, no sc_time_stamp(). So
// islands may run on threads of their own. Processes of SystemC on an island are not possible;
// modules that have some must stay outside.
#pragma once

#include <fermata/models/timing/agenda.h>

#include <memory>

namespace fermata {

class Island final : public Agenda {
 public:
  Island() : Agenda(true) {}

  /// While it lives, modules that are constructed belong to the island.
  class Construction {
   public:
    explicit Construction(const std::shared_ptr<Island>& island) : outer_(joined()) {
      joined() = island;
    }
    ~Construction() { joined() = outer_; }
    Construction(const Construction&) = delete;
    Construction& operator=(const Construction&) = delete;

   private:
    std::weak_ptr<Agenda> outer_;
  };

  /// Sets the time from which the island runs, no earlier than where it has run to.
  void begin(Ticks now);
  /// Simulates up to `end`, without what happens at `end` itself.
  void run(Ticks end);
  using Agenda::due;
  using Agenda::kNone;
  /// True if nothing is planned.
  bool idle() const { return due() == kNone; }
};

}  // namespace fermata
