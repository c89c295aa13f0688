import Foundation
@testable import AcmeCore
import struct AcmeUtil.Text

let maxBody = 65536
private var counter: Int = 0
typealias Handler = (Request) throws -> Response

/// Serves.
@MainActor
public final class Server<T: Item>: BaseServer, Closeable where T: Hashable {
    static let limit = 3
    @Published private(set) var state: State = .idle
    let handlers: [Handler], names: [String: Name]
    weak var delegate: ServerDelegate?

    var size: Int {
        get { handlers.count }
        set { resize(newValue) }
    }

    // Builds it.
    public init(config: Config, port: Int = 80) {
        super.init(config)
        self.setup(port)
    }

    deinit { close() }

    @discardableResult
    func run(_ request: Request) async throws -> Response? {
        let reply = try await handle(request).value
        handlers.forEach { $0.call(request) }
        state.next()?.close()
        guard let special = reply as? Special else { throw Failure.bad("no") }
        Acme.Util.render(special)
        func local(x: Int) -> Int { square(x) }
        return Response(code: local(x: 1))
    }

    subscript(index: Int) -> Handler { handlers[index] }

    static func == (lhs: Server, rhs: Server) -> Bool { lhs === rhs }

    class func create() -> Server { Server(config: .init()) }

    struct Options: OptionSet {
        let rawValue: Int
    }
}

enum State: String, Codable {
    case idle, busy
    case failed(Failure)

    var label: String { rawValue.uppercased() }

    mutating func next() -> State? { nil }
}

protocol ServerDelegate: AnyObject {
    associatedtype Item
    var name: String { get }
    func serverDidStart(_ server: Server<Thing>)
    init(name: String)
}

extension Server: CustomStringConvertible {
    var description: String { "server" }

    func shout() -> String { describe(self) }
}

extension Array where Element: Item {
    func total() -> Int { reduce(0, +) }
}

actor Registry {
    var items: Set<Thing> = []
    func register(_ item: some Thing) { items.insert(item) }
}

infix operator <+>: AdditionPrecedence

func topLevel(server: inout Server<Thing>) {
    _ = server.run(Request())
}
