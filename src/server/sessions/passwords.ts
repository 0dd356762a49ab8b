import { randomBytes, scrypt, type ScryptOptions } from 'node:crypto'
import pLimit from 'p-limit'
import { Refusal } from '#src/server/call/refuse.ts'
import { isSameSecret } from './sameSecret.ts'

/** Argon2id at OWASP's figures: 19 MiB, two passes, one lane. */
const ARGON = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Scrypt at OWASP's figures, where the prebuilt argon2 doesn't load: N 2^15, r 8, p 3. */
const SCRYPT: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }

const argon = await import('@node-rs/argon2').catch(() => undefined)

const scrypted = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password, salt, 32, SCRYPT, (error, key) => (error ? reject(error) : resolve(key))),
  )

// Each hash takes 19 MiB and a core: four at a time keep the other calls quick, the rest wait their
// turn.
const turns = pLimit(4)
const WAITING_MAX = 200

/**
 * Runs `work` when one of the four places for hashing is free; refuses (503) when too many wait
 * already.
 */
export const inHashTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (turns.pendingCount >= WAITING_MAX)
    throw new Refusal(503, [
      '登录的人太多，请稍后重试',
      'Too many sign-ins at once, try again shortly',
    ])
  return turns(work)
}

/**
 * The hash to store: `$argon2id$…`, or `$scrypt$salt$key` where argon2 doesn't load. At most 128
 * characters.
 */
export const hashPassword = async (password: string): Promise<string> => {
  if (argon) return argon.hash(password, ARGON)
  const salt = randomBytes(16)
  return `$scrypt$${salt.toString('base64')}$${(await scrypted(password, salt)).toString('base64')}`
}

/** True when the password is the hash's. Never throws for a hash it can't read. */
export const verifyPassword = async (hash: string, password: string): Promise<boolean> => {
  if (hash.startsWith('$scrypt$')) {
    const [salt = '', key = ''] = hash.split('$').slice(2)
    const wanted = Buffer.from(key, 'base64')
    const got = await scrypted(password, Buffer.from(salt, 'base64'))
    return isSameSecret(got, wanted)
  }
  return argon ? argon.verify(hash, password).catch(() => false) : false
}

let dummy: Promise<string> | undefined
/**
 * Takes as long as a real check: an unknown account must not answer sooner than a wrong password.
 */
export const verifyNobody = async (password: string): Promise<false> => {
  await verifyPassword(await (dummy ??= hashPassword(randomBytes(12).toString('base64'))), password)
  return false
}
/** Makes the dummy hash ahead of the first sign-in, which would otherwise take twice as long. */
export const warmPasswords = async (): Promise<void> => void (await verifyNobody(''))
