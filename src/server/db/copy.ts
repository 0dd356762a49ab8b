import type { Connection, DatabaseError, PoolClient, Submittable } from 'pg'
import type { Db } from '#src/server/call/implement.ts'

/** What pg's connection has and its types do not tell. */
type Copying = Connection & { sendCopyFromChunk: (chunk: Buffer) => void; endCopyFrom: () => void }

/**
 * COPY as one cycle of the protocol, up to its Sync, with the rows inside: the embedded database
 * takes whole cycles only (wire.ts).
 */
export class CopyIn implements Submittable {
  readonly #into: string
  readonly #rows: Buffer
  #done!: () => void
  #failed!: (why: Error) => void
  /** Settles when the database has taken the rows, or refused them. */
  readonly ended = new Promise<void>((done, failed) => {
    this.#done = done
    this.#failed = failed
  })
  constructor(into: string, rows: Buffer) {
    this.#into = into
    this.#rows = rows
  }
  submit(connection: Connection) {
    const to = connection as Copying
    to.stream.cork()
    to.parse({ name: '', text: this.#into, types: [] }, true)
    to.bind({}, true)
    to.execute(null, true)
    to.sendCopyFromChunk(this.#rows)
    to.endCopyFrom()
    to.sync()
    to.stream.uncork()
  }
  handleCopyInResponse() {}
  handleCommandComplete() {}
  handleError(why: DatabaseError) {
    this.#failed(why)
  }
  handleReadyForQuery() {
    this.#done()
  }
}

/**
 * Writes rows, in COPY's text form, by a `copy … from stdin`. Inside a transaction, whose
 * connection it takes.
 */
export const copyIn = async (tx: Db, into: string, rows: string | Buffer): Promise<void> => {
  // Drizzle has no COPY, and keeps its connection to itself.
  const { client } = (tx as unknown as { session: { client: PoolClient } }).session
  const copy = new CopyIn(into, typeof rows === 'string' ? Buffer.from(rows) : rows)
  client.query(copy)
  await copy.ended
}
