import { atEnd } from '../farm/ends.ts'
import { startPostgres, type Postgres } from '../farm/postgres.ts'

/** A PostgreSQL of a bench's own, which ends with it, also where it throws. */
export const benchPostgres = async (): Promise<Postgres> => {
  const own = await startPostgres()
  atEnd(own.stop)
  return own
}
