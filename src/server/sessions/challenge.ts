import { createHash, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { lt } from 'drizzle-orm'
import { captcha } from '#src/areas/people/people.table.ts'
import {
  startsWithZeros,
  WORK_BITS,
  WORK_BYTES,
  WORK_COST,
  type Challenge,
} from '#src/areas/people/proofOfWork.ts'
import type { Db, Install } from '#src/server/call/implement.ts'
import { isSameSecret } from './sameSecret.ts'
import { whereUnwritable } from './unstored.ts'

const LIVES_S = 120
const hash: (text: string, salt: string, bytes: number, cost: typeof WORK_COST) => Promise<Buffer> =
  promisify(scrypt)

type Signer = Pick<Install, 'sign'>
const signOf = ({ sign }: Signer, text: string) => sign(`work:${text}`).slice(0, 32)

/** A challenge of this installation, good for one try within two minutes. Nothing is stored. */
export const newChallenge = (install: Signer, now: number): Challenge => {
  const text = `${randomBytes(12).toString('hex')}.${now + LIVES_S}`
  return { captcha_id: `${text}.${signOf(install, text)}`, bits: WORK_BITS }
}

/** When a challenge of ours ends; undefined for any other. */
const endOf = (install: Signer, challenge: string): number | undefined => {
  const at = challenge.lastIndexOf('.')
  const text = challenge.slice(0, Math.max(0, at))
  if (!isSameSecret(challenge.slice(at + 1), signOf(install, text))) return undefined
  return Number(text.split('.')[1])
}
/** Notes that a challenge is used up; false where it was before. */
const spend = async (db: Db, challenge: string, { until, now }: { until: number; now: number }) => {
  const id = createHash('sha256').update(challenge).digest('hex').slice(0, 32)
  await db.delete(captcha).where(lt(captcha.expires_at, now))
  const used = await db
    .insert(captcha)
    .values({ id, answer_hash: '', expires_at: until })
    .onConflictDoNothing()
    .returning({ id: captcha.id })
  return used.length > 0
}

/**
 * True when the work was done for a challenge of ours that still lives and was not used before. It
 * is used up then.
 */
export const provesWork = async (
  db: Db,
  install: Signer,
  { captcha_id = '', captcha: answer = '' }: { captcha_id?: string; captcha?: string },
  now: number,
): Promise<boolean> => {
  const until = endOf(install, captcha_id)
  // Nothing at all would answer one challenge of a hundred, and takes no work.
  if (answer === '' || until === undefined || until <= now) return false
  if (!startsWithZeros(await hash(answer, captcha_id, WORK_BYTES, WORK_COST), WORK_BITS))
    return false
  // Where nothing can be written, tries are counted all the same (unstored.ts).
  return spend(db, captcha_id, { until, now }).catch(whereUnwritable(() => true))
}
