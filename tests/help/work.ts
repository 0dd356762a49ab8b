import { scryptSync } from 'node:crypto'
import {
  startsWithZeros,
  WORK_BYTES,
  WORK_COST,
  type Challenge,
} from '#src/areas/people/proofOfWork.ts'
import { session } from '#src/modules/session/contract.ts'
import type { App } from '#src/server/http/app.ts'
import { send } from './app.ts'

/** Whether a number answers a challenge. */
export const answers = ({ captcha_id, bits }: Challenge, number: number) =>
  startsWithZeros(scryptSync(String(number), captcha_id, WORK_BYTES, WORK_COST), bits)

/** Asks for a challenge and does its work, as a browser does after wrong passwords. */
export const workDone = async (app: App): Promise<{ captcha: string; captcha_id: string }> => {
  const challenge: Challenge = (await send(app, session.captcha)).data
  let tried = 0
  while (!answers(challenge, tried)) tried++
  return { captcha: String(tried), captcha_id: challenge.captcha_id }
}
