'use strict'

const { join, extname: ext } = require('node:path')
var Layer = require('./layer')
const debug = require('debug').enable
require('./polyfill')

/** Routes by path. */
function Router(options) {
  this.stack = []
  this.handle = function (req) { return next.call(this, req) }
}

// Adds one.
Router.prototype.use = function use(path, fn) {
  var layer = new Layer(path, fn)
  this.stack.push(layer)
  function inner() {}
}

var proto = module.exports = {}
proto.param = (name, fn) => lookup(name)?.add(fn)

exports.methods = ['get']
exports.compile = async function (value) {
  const { one } = await import('./one.js')
  return one(value)
}

const TABLE = {
  get: function () { return send('x') },
  post() {},
  nested: { put: () => 1 },
  plain: 3
}

call({ onError: () => {} })

class Base extends events.EventEmitter {
  static #count = 0
  limit = 10
  onClose = () => { this.close() }
  constructor() { super() }
  get size() { return this.#sum() }
  #sum() { return 1 }
  static async *[Symbol.iterator]() {}
}

export default class extends Base {}
export { join as default, ext } from './m.js'
export * as all from './all.js'
import main, { a as b } from "main"
import * as ns from 'ns'
import 'side'

export const View = ({ x }) => <Layout.Main a={f()}><Row/><div>{x}</div></Layout.Main>

let [first, { second = 2, ...rest }] = pair()

function* ids() { yield* more() }
