"""Texts on which an exported model is compared with its original. Pure data.

Code, prose and queries as Sidelight embeds them: short, long past any usual limit, and odd.
The first `N_REFERENCES` become a model's reference vectors; changing one changes what
`model verify` compares only for models exported afterwards.
"""

from __future__ import annotations

N_REFERENCES = 4

_PYTHON = '''\
retry with backoff in net retry
def retry_with_backoff(call, *, attempts=5, base_delay_s=0.2, sleep=time.sleep):
    """Call until it succeeds; wait twice as long after every failure."""
    for attempt in range(attempts):
        try:
            return call()
        except ConnectionError as error:
            if attempt == attempts - 1:
                raise
            delay_s = base_delay_s * 2 ** attempt
            log.warning("attempt %d failed: %s; again in %.1f s", attempt + 1, error, delay_s)
            sleep(delay_s)
'''

_GO = """\
server shutdown in internal http server
// Shutdown stops accepting connections and waits for running requests.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrServerClosed
	}
	s.closed = true
	close(s.done)
	select {
	case <-s.idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
"""

_TYPESCRIPT = """\
parse user token in src auth token
export function parseUserToken(header: string | undefined): UserToken | null {
  if (!header?.startsWith("Bearer ")) return null;
  const [payload, signature] = header.slice(7).split(".");
  if (!verifySignature(payload, signature)) throw new TokenError("bad signature");
  return JSON.parse(atob(payload)) as UserToken;
}
"""

_RUST = """\
ring buffer push in src buffer
impl<T: Copy + Default, const N: usize> RingBuffer<T, N> {
    /// Append a value, overwriting the oldest one when the buffer is full.
    pub fn push(&mut self, value: T) -> Option<T> {
        let old = (self.len == N).then(|| self.items[self.head]);
        self.items[(self.head + self.len) % N] = value;
        if old.is_some() { self.head = (self.head + 1) % N } else { self.len += 1 }
        old
    }
}
"""

_MARKDOWN = """\
Installation
Install the package, then run the migration once. The configuration file is read from the
project's root; every key has a default. To keep the cache between builds, mount a volume at
/var/cache/app. Downgrading is possible as long as no new column has been written.
"""

_SQL = """\
orders report in db reports
SELECT c.name, date_trunc('month', o.placed_at) AS month, sum(o.total_cents) / 100.0 AS total
FROM orders AS o JOIN customers AS c ON c.id = o.customer_id
WHERE o.state <> 'cancelled' GROUP BY 1, 2 HAVING count(*) > 3 ORDER BY total DESC;
"""

SAMPLES: tuple[str, ...] = (
    "where are retries handled",
    _PYTHON,
    _GO,
    _MARKDOWN,
    "parseUserToken",
    _TYPESCRIPT,
    _RUST,
    _SQL,
    "ERR_0x80 when the certificate chain cannot be verified",
    "größe der Warteschlange überschritten, 再接続を待つ 🚀",
    "x",
    _PYTHON + _RUST + _GO + _TYPESCRIPT + _SQL + _MARKDOWN,
    (_GO + _MARKDOWN) * 20,
)
