import { createServer, type Server, type Socket } from 'node:net'

/**
 * Runs whole protocol cycles, in the order given, one at a time; answers what the database says.
 */
export type Engine = {
  run: (messages: Uint8Array) => Promise<Buffer>
  inTransaction: () => boolean
}
type Cycle = { from: Connection | null; messages: Buffer; done: (answer: Buffer) => void }
type Connection = { socket: Socket; started: boolean; waiting: Buffer }

const SSL = 80877103,
  GSS = 80877104,
  CANCEL = 80877102
const QUERY = 0x51,
  SYNC = 0x53,
  FLUSH = 0x48,
  CALL = 0x46,
  TERMINATE = 0x58
const CEILING = 256 * 1024 * 1024

/**
 * PostgreSQL's wire protocol over one engine that has one session. pglite-socket 0.2.17 hands it
 * single messages: a query whose Parse and Bind arrive in two chunks may then run another
 * connection's statement with its own parameters, and answer that. Here a connection's messages run
 * as one, up to the Sync, and a transaction keeps the turn until it ends or its connection does.
 */
export class Wire {
  #queue: Cycle[] = []
  #turn: Connection | null = null
  #running = false
  #lines = new Set<Connection>()
  readonly server: Server

  /** `broken` is told when the engine can be trusted no more; nothing runs after that. */
  constructor(
    readonly engine: Engine,
    readonly broken: (why: Error) => void,
  ) {
    this.server = createServer(socket => this.#accept(socket))
  }

  /** Runs a simple query of our own between two cycles of others, even inside their transaction. */
  ask(sql: string): Promise<Buffer> {
    const text = Buffer.from(`${sql}\0`)
    const head = Buffer.alloc(5)
    head[0] = QUERY
    head.writeInt32BE(text.length + 4, 1)
    return new Promise(done => {
      this.#queue.unshift({ from: null, messages: Buffer.concat([head, text]), done })
      void this.#work()
    })
  }

  #accept(socket: Socket) {
    const line: Connection = { socket, started: false, waiting: Buffer.alloc(0) }
    this.#lines.add(line)
    socket.setNoDelay(true)
    let chunks: Buffer[] = []
    let length = 0
    let needed = 0
    socket.on('data', chunk => {
      chunks.push(chunk)
      length += chunk.length
      // A long message comes in many chunks: joining them once, when it is whole, keeps that
      // linear.
      if (length < needed) return
      line.waiting = chunks.length > 1 ? Buffer.concat(chunks, length) : chunks[0]!
      try {
        needed = this.#take(line)
      } catch {
        socket.destroy()
      }
      chunks = line.waiting.length > 0 ? [line.waiting] : []
      length = line.waiting.length
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#leave(line))
  }

  /**
   * Takes the complete cycles off what has arrived; answers how many bytes there must be before it
   * is worth looking again.
   */
  #take(line: Connection): number {
    let from = 0
    let at = 0
    let needed = 0
    const bytes = line.waiting
    while (at < bytes.length) {
      const header = line.started ? 5 : 8
      if (bytes.length - at < header) {
        needed = at + header
        break
      }
      const size = line.started ? 1 + bytes.readInt32BE(at + 1) : bytes.readInt32BE(at)
      if (size < header - 4 || size > CEILING) throw new Error('not the protocol')
      if (bytes.length - at < size) {
        needed = at + size
        break
      }
      if (!line.started) {
        const code = bytes.readInt32BE(at + 4)
        at += size
        if (code === SSL || code === GSS) line.socket.write('N')
        else if (code !== CANCEL) {
          line.started = true
          this.#enqueue(line, bytes.subarray(from, at))
        }
        from = at
        continue
      }
      const type = bytes[at]!
      at += size
      if (type === TERMINATE) {
        line.socket.end()
        from = at
        continue
      }
      if (type === QUERY || type === SYNC || type === FLUSH || type === CALL) {
        this.#enqueue(line, bytes.subarray(from, at))
        from = at
      }
    }
    line.waiting = bytes.subarray(from)
    return Math.max(0, needed - from)
  }

  #enqueue(line: Connection, messages: Buffer) {
    this.#queue.push({
      from: line,
      messages,
      done: answer => {
        if (line.socket.writable) line.socket.write(answer)
      },
    })
    void this.#work()
  }

  async #work() {
    if (this.#running) return
    this.#running = true
    for (;;) {
      const next = this.#queue.findIndex(
        cycle => cycle.from === null || this.#turn === null || cycle.from === this.#turn,
      )
      if (next < 0) break
      const [cycle] = this.#queue.splice(next, 1)
      let answer: Buffer
      try {
        answer = await this.engine.run(cycle!.messages)
      } catch (error) {
        return this.broken(error as Error)
      }
      // A Flush leaves the cycle open: portals and statements are still this connection's.
      const flushed = endsInFlush(cycle!.messages)
      // PGlite swallows what it does not know (a stack overflow, a trap) and says nothing: the
      // client would wait for ever, on an engine in unknown state.
      if (!flushed && !saysReady(answer))
        return this.broken(new Error('the engine gave no complete answer'))
      if (cycle!.from) this.#turn = this.engine.inTransaction() || flushed ? cycle!.from : null
      cycle!.done(answer)
      if (this.#turn && !this.#lines.has(this.#turn)) this.#abandon()
      // The event loop must get its turn: new connections, and the watchdog's question.
      await new Promise(setImmediate)
    }
    this.#running = false
  }

  #leave(line: Connection) {
    this.#lines.delete(line)
    this.#queue = this.#queue.filter(cycle => cycle.from !== line)
    if (this.#turn === line && !this.#running) {
      this.#abandon()
      void this.#work()
    }
  }
  /** The one who had the turn is gone: what it began is undone, before anything else runs. */
  #abandon() {
    this.#turn = null
    const sync = Buffer.from([SYNC, 0, 0, 0, 4])
    this.#queue.unshift({
      from: null,
      messages: Buffer.concat([sync, Buffer.from([QUERY, 0, 0, 0, 13]), Buffer.from('rollback\0')]),
      done: () => {},
    })
  }
}

/**
 * A message of four bytes of length and nothing else, at the end: neither Sync nor Query ends so
 * with an H.
 */
const endsInFlush = (messages: Buffer) =>
  messages.length >= 5 &&
  messages.readInt32BE(messages.length - 4) === 4 &&
  messages[messages.length - 5] === FLUSH
/** ReadyForQuery is the last word of every whole cycle. */
const saysReady = (answer: Buffer) =>
  answer.length >= 6 &&
  answer[answer.length - 6] === 0x5a &&
  answer.readInt32BE(answer.length - 5) === 5
