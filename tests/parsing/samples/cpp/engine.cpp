#include "engine.h"
#include <vector>

#define LOG(x) log_line(x)

using namespace std;
using acme::Widget;
namespace fs = std::filesystem;

namespace acme::core {

// A shape.
template <typename T>
class Shape : public Base<T>, private detail::Mixin {
public:
    explicit Shape(int size) : Base<T>(size), size_(size) { init(); }
    ~Shape();
    virtual double area() const = 0;
    Shape& operator+=(const Shape& other);
    operator bool() const { return size_ > 0; }
    static Shape* make(std::unique_ptr<Widget> widget);
    int size() const { return size_; }
    using value_type = T;
    friend class Canvas;
    struct Options {
        bool fast = true;
    };

protected:
    static constexpr int kMax = 8;
    int size_ = 0, count_;
    std::vector<Shape*> children_;
};

struct Point final {
    double x, y;
    auto operator<=>(const Point&) const = default;
};

enum class Color : int { Red, Green };
enum Flag { kOn };
typedef std::map<std::string, int> Index;
template <typename K> using Table = std::map<K, Point>;
constexpr int kLimit = 10;
static Point origin;

/// Makes one.
template <typename T>
Shape<T>* Shape<T>::make(std::unique_ptr<Widget> widget) {
    auto* shape = new Shape<T>(1);
    shape->area();
    this->size();
    std::sort(widget->begin(), widget->end());
    Engine::instance().start<int>(2);
    auto p = Point{1, 2};
    auto q = static_cast<Widget*>(nullptr);
    helper::run();
    LOG(q);
    return shape;
}

template <typename T>
Shape<T>::~Shape() = default;

bool operator==(const Point& a, const Point& b) {
    return a.x == b.x;
}

namespace {
int hidden(const Index& index) { return index.size(); }
}

}  // namespace acme::core

[[nodiscard]] int acme::core::Engine::start(int n) try {
    auto f = [n](Point p) { return g(p, n); };
    throw Failure("no");
} catch (const std::exception& e) {
    return 0;
}

template <>
struct std::hash<acme::core::Point> {
    size_t operator()(const acme::core::Point& p) const noexcept;
};

template <typename T>
concept Drawable = requires(T t) { t.draw(); };

extern "C" int c_entry(void);

int main() {
    acme::core::Point point(1, 2);
    return 0;
}
