// The obvious loops, as anyone would write them in an afternoon, for the compiler to vectorise: what is left of a rival's
// lead once it is compiled. `nothing` is an empty function: what a call alone costs. `read` is the limit of every scan.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace py = pybind11;
using Bytes = py::array_t<std::uint8_t, py::array::c_style>;

constexpr std::size_t WORDS = 64;  // of 64 bits in a hypervector

static std::vector<std::string> words_of(const std::string &text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = text.find(' ', at);
        if (end == std::string::npos) end = text.size();
        if (end > at) words.emplace_back(text, at, end - at);
        at = end + 1;
    }
    return words;
}

// BM25 term at a time: scores in one array, f64; no impacts, no pruning, no skipping.
class Bm25 {
  public:
    Bm25(const std::vector<std::string> &documents, double k1, double b) : k1_(k1), norms_(documents.size()) {
        double total = 0;
        for (std::uint32_t number = 0; number < documents.size(); ++number) {
            const auto words = words_of(documents[number]);
            norms_[number] = static_cast<double>(words.size());
            total += norms_[number];
            for (const auto &word : words) {
                auto &list = lists_[word];
                if (list.empty() || list.back().first != number) list.emplace_back(number, 0);
                ++list.back().second;
            }
        }
        const double average = total / static_cast<double>(documents.size());
        for (double &norm : norms_) norm = k1 * (1.0 - b + b * norm / average);
        scores_.resize(documents.size());
    }

    std::vector<std::pair<std::uint32_t, double>> search(const std::string &query, std::size_t k) {
        std::fill(scores_.begin(), scores_.end(), 0.0);
        for (const auto &word : words_of(query)) {
            const auto found = lists_.find(word);
            if (found == lists_.end()) continue;
            const double df = static_cast<double>(found->second.size());
            const double idf = std::log(1.0 + (static_cast<double>(norms_.size()) - df + 0.5) / (df + 0.5));
            for (const auto &[number, tf] : found->second)
                scores_[number] += idf * (k1_ + 1.0) * tf / (tf + norms_[number]);
        }
        std::vector<std::pair<std::uint32_t, double>> best;
        for (std::uint32_t number = 0; number < scores_.size(); ++number)
            if (scores_[number] > 0) best.emplace_back(number, scores_[number]);
        const auto middle = best.begin() + static_cast<std::ptrdiff_t>(std::min(k, best.size()));
        std::partial_sort(best.begin(), middle, best.end(), [](const auto &a, const auto &b) {
            return a.second != b.second ? a.second > b.second : a.first < b.first;
        });
        best.resize(std::min(k, best.size()));
        return best;
    }

  private:
    double k1_;
    std::vector<double> norms_, scores_;
    std::unordered_map<std::string, std::vector<std::pair<std::uint32_t, std::uint32_t>>> lists_;
};

static std::vector<std::pair<std::uint32_t, std::uint32_t>> nearest(Bytes rows, Bytes query, std::size_t k) {
    std::uint64_t wanted[WORDS];
    std::memcpy(wanted, query.data(), sizeof wanted);
    const std::uint8_t *at = rows.data();
    const std::size_t count = static_cast<std::size_t>(rows.size()) / sizeof wanted;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found(count);
    for (std::size_t row = 0; row < count; ++row, at += sizeof wanted) {
        std::uint64_t words[WORDS], distance = 0;
        std::memcpy(words, at, sizeof words);
        for (std::size_t word = 0; word < WORDS; ++word)
            distance += static_cast<std::uint64_t>(__builtin_popcountll(words[word] ^ wanted[word]));
        found[row] = {static_cast<std::uint32_t>(distance), static_cast<std::uint32_t>(row)};
    }
    const auto middle = found.begin() + static_cast<std::ptrdiff_t>(std::min(k, count));
    std::partial_sort(found.begin(), middle, found.end());
    found.resize(std::min(k, count));
    return found;
}

// Majority of the rows, bit by bit; a tie gives 0.
static py::bytes bundle(Bytes rows) {
    const std::size_t count = static_cast<std::size_t>(rows.size()) / (WORDS * 8);
    std::vector<std::uint16_t> ones(WORDS * 64, 0);
    for (std::size_t row = 0; row < count; ++row) {
        const std::uint8_t *at = rows.data() + row * WORDS * 8;
        for (std::size_t byte = 0; byte < WORDS * 8; ++byte)
            for (int bit = 0; bit < 8; ++bit) ones[byte * 8 + static_cast<std::size_t>(bit)] += (at[byte] >> bit) & 1;
    }
    std::string out(WORDS * 8, '\0');
    for (std::size_t bit = 0; bit < ones.size(); ++bit)
        if (2 * ones[bit] > count) out[bit / 8] = static_cast<char>(out[bit / 8] | (1 << (bit % 8)));
    return py::bytes(out);
}

// One streaming read, fetched ahead, into four sums of 64 bytes, so that nothing but memory is waited for.
static std::uint64_t read_all(Bytes rows) {
    typedef std::uint64_t Lane __attribute__((vector_size(64)));
    const std::uint8_t *at = rows.data();
    const std::uint8_t *end = at + static_cast<std::size_t>(rows.size()) / 256 * 256;
    Lane sums[4] = {};
    for (; at < end; at += 256) {
        for (int lane = 0; lane < 4; ++lane) {
            Lane words;
            __builtin_prefetch(at + 4096 + 64 * lane);
            std::memcpy(&words, at + 64 * lane, sizeof words);
            sums[lane] |= words;
        }
    }
    sums[0] |= sums[1] | sums[2] | sums[3];
    std::uint64_t all = 0;
    for (int word = 0; word < 8; ++word) all |= sums[0][word];
    return all;
}

PYBIND11_MODULE(baseline, module) {
    module.def("nothing", [](py::object) {});
    module.def("read", &read_all);
    module.def("nearest", &nearest);
    module.def("bundle", &bundle);
    py::class_<Bm25>(module, "Bm25")
        .def(py::init<const std::vector<std::string> &, double, double>())
        .def("search", &Bm25::search);
}
