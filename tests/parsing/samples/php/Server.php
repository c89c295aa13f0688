<?php

declare(strict_types=1);

namespace Acme\Net;

use Acme\Core\Base;
use Acme\Util\{Log, Text as T};
use Closure;
use Psr\Log\LoggerInterface as Logger;
use function Acme\Util\helper;
use const Acme\Util\LIMIT;

require_once __DIR__ . '/boot.php';
include 'lib/extra.php';

const TOP = 1;
define('LEGACY', 2);

/**
 * Serves.
 */
#[Route('/api')]
final class Server extends Base implements \Countable, Handler
{
    use Tracing, Util\Counting;

    public const MAX = 10, MIN = 1;
    private ?Logger $logger = null;
    protected static array $cache = [], $other;

    // Builds it.
    public function __construct(private Config $config, int $port = 80)
    {
        parent::__construct($config);
        $this->logger = new Log\Writer();
    }

    #[Pure]
    public static function create(string ...$args): static|null
    {
        return new self(Config::load($args));
    }

    public function run(Request $request, callable $next): ?Response
    {
        $handler = function (Reply $r) use ($next) { return $next($r); };
        $fn = fn(Item $x): int => strlen($x->name());
        $this->handle($request)->send();
        $this->logger?->info('x');
        helper(self::MAX);
        T::trim('x');
        if ($request instanceof Special) {
            throw new \RuntimeException('no');
        }
        try {
            \Acme\boot();
        } catch (NotFound | Denied $e) {
        }
        return new class extends Response implements Jsonable {
            public function toJson() { return encode($this); }
        };
    }

    abstract protected function handle(Request $r): Response;
}

interface Handler extends Base\Contract
{
    public function handle(Request $r): Response;
}

trait Tracing
{
    public function trace(): void {}
}

enum Suit: string implements HasLabel
{
    case Hearts = 'H';
    case Spades = 'S';

    const Wild = self::Spades;

    public function label(): string { return ucfirst($this->value); }
}

function top_level(Server $server): int
{
    return $server->run();
}
