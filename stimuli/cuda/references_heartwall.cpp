// After Rodinia's heartwall: tracks points by the definition of normalised cross-correlation.
#include <algorithm>
#include <cmath>

#include <fermata/stimuli/cuda/reference_functions.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::cuda {
namespace {

constexpr std::ptrdiff_t kHalf = 25;  // half a template's side
constexpr std::ptrdiff_t kSide = 2 * kHalf + 1;

/// The pictures of a film. All sizes are signed, because displacements are.
struct Film {
  std::ptrdiff_t rows, columns, pitch;
  std::vector<float> scene;

  explicit Film(const ReferenceInput& input)
      : rows(static_cast<std::ptrdiff_t>(input.parameter("rows", 1, 1 << 12))),
        columns(static_cast<std::ptrdiff_t>(input.parameter("columns", 1, 1 << 12))) {
    const std::size_t frames = input.parameter("frames", 1, 1 << 12);
    pitch = rows + static_cast<std::ptrdiff_t>(2 * frames);
    scene = input.elements<float>(
        "scene", static_cast<std::size_t>(pitch) * (static_cast<std::size_t>(columns) + frames));
  }
  double at(std::ptrdiff_t frame, std::ptrdiff_t row, std::ptrdiff_t column) const {
    return scene[static_cast<std::size_t>((column + frame) * pitch + row + 2 * frame)];
  }
};

struct Point {
  std::ptrdiff_t row, column;
  std::vector<double> pattern;       // template of the point, by columns
  std::vector<double> correlations;  // in the last picture, by columns of displacements
};

struct Search {
  std::ptrdiff_t half, reach;
};

/// Calls the function for each pixel of a template, by columns, with its place relative to the
/// middle.
template <class Function>
void forTemplate(const Function& function) {
  for (std::ptrdiff_t column = -kHalf; column <= kHalf; ++column) {
    for (std::ptrdiff_t row = -kHalf; row <= kHalf; ++row) function(row, column);
  }
}

/// A template less its mean, and the sum of its squares.
struct Deviations {
  std::vector<double> of;
  double squares = 0;

  explicit Deviations(const std::vector<double>& pattern) : of(pattern) {
    double sum = 0;
    for (const double pixel : of) sum += pixel;
    for (double& pixel : of) {
      pixel -= sum / static_cast<double>(of.size());
      squares += pixel * pixel;
    }
  }
};

/// A template's place in a window, displaced from the middle. Pixels outside the window are 0.
struct Displacement {
  std::ptrdiff_t row, column;
};

/// Returns Pearson's coefficient of the template and the pixels under it.
double correlation(const Deviations& pattern, const Point& point, const Film& film,
                   std::ptrdiff_t frame, std::ptrdiff_t half, const Displacement& by) {
  double sum = 0;
  double squares = 0;
  double product = 0;
  for (std::ptrdiff_t column = std::max(-kHalf, -half - by.column);
       column <= std::min(kHalf, half - by.column); ++column) {
    for (std::ptrdiff_t row = std::max(-kHalf, -half - by.row);
         row <= std::min(kHalf, half - by.row); ++row) {
      const double pixel =
          film.at(frame, point.row + row + by.row, point.column + column + by.column);
      sum += pixel;
      squares += pixel * pixel;
      product +=
          pixel * pattern.of[static_cast<std::size_t>((column + kHalf) * kSide + row + kHalf)];
    }
  }
  const double norm = std::sqrt(pattern.squares * (squares - sum * sum / (kSide * kSide)));
  return norm > 0 ? product / norm : 0;
}

/// Finds the point in a picture: the displacement with the largest correlation, the first by
/// columns among equals.
void track(Point& point, const Film& film, std::ptrdiff_t frame, const Search& search) {
  const Deviations pattern(point.pattern);
  point.correlations.clear();
  double best = -2;
  std::ptrdiff_t bestRow = 0;
  std::ptrdiff_t bestColumn = 0;
  for (std::ptrdiff_t dx = -search.reach; dx <= search.reach; ++dx) {
    for (std::ptrdiff_t dy = -search.reach; dy <= search.reach; ++dy) {
      point.correlations.push_back(correlation(pattern, point, film, frame, search.half, {dy, dx}));
      if (point.correlations.back() <= best) continue;
      best = point.correlations.back();
      bestRow = dy;
      bestColumn = dx;
    }
  }
  point.row = std::clamp(point.row + bestRow, search.half, film.rows - 1 - search.half);
  point.column = std::clamp(point.column + bestColumn, search.half, film.columns - 1 - search.half);
}

std::vector<Point> track(const ReferenceInput& input) {
  const Film film(input);
  const std::size_t points = input.parameter("points", 1, 1 << 16);
  const auto frames = static_cast<std::ptrdiff_t>(input.parameter("frames", 1, 1 << 12));
  const auto renew = static_cast<std::ptrdiff_t>(input.parameter("renew", 1, 1 << 12));
  const Search search{static_cast<std::ptrdiff_t>(input.parameter("search", kHalf, 128)),
                      static_cast<std::ptrdiff_t>(input.parameter("reach", 1, 128))};
  const auto places = input.elements<std::int32_t>("places", 2 * points);
  std::vector<Point> list;
  for (std::size_t p = 0; p < points; ++p) {
    Point point{places[2 * p], places[2 * p + 1], {}, {}};
    const bool isInside = point.row >= search.half && point.row + search.half < film.rows &&
                          point.column >= search.half && point.column + search.half < film.columns;
    if (!isInside) throw InputError("the reference needs places whose windows are in the picture");
    forTemplate([&](std::ptrdiff_t row, std::ptrdiff_t column) {
      point.pattern.push_back(film.at(0, point.row + row, point.column + column));
    });
    for (std::ptrdiff_t frame = 1; frame <= frames; ++frame) {
      track(point, film, frame, search);
      if (frame % renew != 0) continue;
      auto pixel = point.pattern.begin();
      forTemplate([&](std::ptrdiff_t row, std::ptrdiff_t column) {
        *pixel = 0.87 * *pixel + 0.13 * film.at(frame, point.row + row, point.column + column);
        ++pixel;
      });
    }
    list.push_back(std::move(point));
  }
  return list;
}

const std::vector<Point>& trackedPoints(const ReferenceInput& input) {
  return input.once([&] { return track(input); });
}

}  // namespace

Bytes trackedPlaces(const ReferenceInput& input) {
  std::vector<std::int32_t> out;
  for (const Point& point : trackedPoints(input)) {
    out.push_back(static_cast<std::int32_t>(point.row));
    out.push_back(static_cast<std::int32_t>(point.column));
  }
  return bytesOf(out);
}

Bytes trackedTemplates(const ReferenceInput& input) {
  std::vector<float> out;
  for (const Point& point : trackedPoints(input))
    out.insert(out.end(), point.pattern.begin(), point.pattern.end());
  return bytesOf(out);
}

Bytes trackedCorrelations(const ReferenceInput& input) {
  std::vector<float> out;
  for (const Point& point : trackedPoints(input))
    out.insert(out.end(), point.correlations.begin(), point.correlations.end());
  return bytesOf(out);
}

}  // namespace fermata::cuda
