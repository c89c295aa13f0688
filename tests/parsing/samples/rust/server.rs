//! The server.
use std::collections::{self, hash_map::{Entry as E, *}, HashMap};
use anyhow;
pub use crate::error::Error as ServerError;
use super::*;
extern crate serde as s;
mod routes;

/// Serves.
#[derive(Debug, serde::Clone)]
// with care
#[must_use]
pub struct Server<T: Handler + fmt::Debug> {
    pub name: String,
    inner: Arc<Mutex<Inner<T>>>,
}

struct Unit;
struct Pair(pub Left, Right);

pub enum State {
    /// Nothing to do.
    Idle,
    Busy(Job),
    Failed { code: Code },
}

pub trait Handler<T>: Clone + service::Service<T> {
    type Future: Future<Output = Response>;
    const LIMIT: usize;
    fn call(&mut self, req: Request<T>) -> Self::Future;
    fn name(&self) -> &str { default_name() }
}

impl<T> Server<T> {
    pub const MAX: u8 = 3;

    /// Builds it.
    #[inline]
    pub async fn new(handler: &dyn Handler<Job>) -> Result<Self, Error> {
        let parse = |x| decode::<Row>(x);
        Self::build(handler)?.run().await;
        assert_eq!(count(1), self.total(2));
        Ok(State::Busy(Vec::<u8>::with_capacity(3)))
    }
}

impl<S> fmt::Display for Server<S> where S: Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", self.name) }
}

macro_rules! route { ($x:expr) => { handle($x) }; }

pub static TABLE: Table = Table::new();
static mut COUNT: u32 = 0;
type Alias = Box<dyn Fn(Job) -> Reply>;

#[tokio::main]
async fn main() {
    fn helper() {}
    const LOCAL: u8 = 1;
    let config = Config { path: find() };
    std::mem::swap(&mut a, &mut b);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn works() { main(); }
}
