// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/porfc.h"

#include "core/fuzzy/answer.h"
#include "core/fuzzy/grid_graph.h"

#include <utility>
#include <vector>

namespace seedwave::fuzzy {
namespace {

using Rule = TwoClassRule;
using State = Rule::State;
/// Set while the cell is in the list of cells that changed in this round.
constexpr State kChanged = 0x8000;

/// A changed cell and the state that it offers in the next round.
struct Offer {
  std::int64_t cell;
  State state;
};

/// Returns the states after the last round, for `object` against all other labels.
///
/// Reads only cells that changed in the previous round, because the offers of the others have been
/// taken already.
std::vector<State> run_rounds(const GridGraph& graph, const std::vector<Seed>& seeds, Label object,
                              Context& context) {
  std::vector<State> states(graph.cell_count());
  std::vector<Offer> offers;
  for (const Seed& seed : seeds) {
    states[seed.offset] = Rule::pack(kFullStrength, seed.label == object ? 0 : 1);
    offers.push_back({seed.offset, states[seed.offset]});
  }
  std::vector<std::int64_t> changed;
  while (!offers.empty()) {
    for (std::size_t i = 0; i < offers.size(); ++i) {
      if (i % kCellsPerCheck == 0) context.checkpoint(0.0);
      const Offer& offer = offers[i];
      graph.for_each_neighbour(offer.cell, [&](std::int64_t other, std::uint16_t affinity) {
        const State made = Rule::transfer(offer.state, affinity);
        State& state = states[other];
        if (made <= (state & ~kChanged)) return;
        if ((state & kChanged) == 0) changed.push_back(other);
        state = made | kChanged;
      });
    }
    offers.clear();
    for (const std::int64_t cell : changed) {
      states[cell] &= static_cast<State>(~kChanged);
      offers.push_back({cell, states[cell]});
    }
    changed.clear();
  }
  return states;
}

}  // namespace

Answer porfc_by_rounds(const Problem& problem, Context& context) {
  const auto stage = context.stage("propagate");
  const GridGraph graph(problem);
  Answer answer = empty_answer(graph.cell_count());
  std::vector<Label> objects{problem.object};
  if (problem.object == 0) objects = labels_of(problem.seeds);
  for (const Label object : objects) {
    const std::vector<State> states = run_rounds(graph, problem.seeds, object, context);
    for (std::size_t i = 0; i < states.size(); ++i) {
      answer.strength[i] = Rule::strength_of(states[i]);
      if (Rule::object_holds(states[i])) answer.labels[i] = static_cast<std::uint16_t>(object);
    }
  }
  keep_painted(problem.seeds, answer.labels);
  return answer;
}

Answer prfc_by_rounds(const Problem& problem, Context& context) {
  const auto stage = context.stage("propagate");
  const GridGraph graph(problem);
  Answer answer = empty_answer(graph.cell_count());
  for (const Label label : labels_of(problem.seeds)) {
    std::vector<State> states = run_rounds(graph, seeds_of(problem.seeds, label), label, context);
    for (State& state : states)
      state = Rule::strength_of(state);
    join_relative(label, states, answer);
  }
  keep_painted(problem.seeds, answer.labels);
  return answer;
}

}  // namespace seedwave::fuzzy
