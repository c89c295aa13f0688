import type { Config } from './config'
import fs = require('fs')
export * from './types'

/** Options. */
export interface Options<T extends Base> extends Partial<T>, ns.Named {
  readonly name: string
  retry?(times: number): Promise<Result<T>>
  [key: string]: Value
}

export type Handler = (event: Event) => void
type Shape = { kind: Kind; area(): Size } | typeof defaults

export enum State { Idle, Busy = 2 }

declare module 'other' {
  export function helper(x: Input): void
}

export namespace Util.Text {
  export const width: Width = 80
  export function trim(): void {}
}

export function load(path: string): Config
export function load(path: any): Config { return fs.readFileSync(path) as Config }

@Injectable({ scope: 'x' })
export abstract class Service<T> extends Base<T> implements Closable, ns.Runnable<T> {
  private static readonly log: Logger = new Logger<Entry>('x')
  @Input() value!: Value
  handler = async (event: MouseEvent) => { await this.api.send<Reply>(event) }

  constructor(private readonly api: Api, count = defaults.count()) { super() }

  // Runs.
  @Trace()
  run<K extends keyof T>(key: K, map: Map<K, Set<T>>): asserts key is Known {
    return this.step!.call<K>(key)
  }

  abstract stop(): void
  get state(): State { return State.Idle }
}

export const make = <T,>(x: T): Box<T> => { return wrap(x) }
const LIMIT = 10, other: Other = build()
declare const VERSION: string
export default make(LIMIT)
