/** A worker: looks for the number that a challenge asks for, so that the page stays alive. */
import { scrypt } from '@noble/hashes/scrypt.js'
import {
  startsWithZeros,
  WORK_BYTES,
  WORK_COST,
  type Challenge,
} from '#src/areas/people/proofOfWork.ts'

/** The answer to a challenge, as `captcha` of a sign-in. */
export const solve = ({ captcha_id, bits }: Challenge): string => {
  for (let tried = 0; ; tried++) {
    const hash = scrypt(String(tried), captcha_id, { ...WORK_COST, dkLen: WORK_BYTES })
    if (startsWithZeros(hash, bits)) return String(tried)
  }
}

addEventListener('message', ({ data }: MessageEvent<Challenge>) => postMessage(solve(data)))
