import { createHash } from 'node:crypto'
import { z } from 'zod'
import { HOUR } from '#src/domain/time.ts'
import { askService } from '#src/server/http/askService.ts'
import { parcelStates, type ParcelState, type Trace, type TrackAnswer } from './track.ts'

export type TrackQuestion = {
  /** The courier's code. */ code: string
  tracking_no: string
  shipped_at: number
  now: number
  /** The receiver's phone; some couriers ask for its last digits. */ phone?: string
  from?: string
  to?: string
}
/** Where the traces of parcels are asked for. Never throws for what is answered or not. */
export type TrackChannel = {
  name: 'http' | 'embedded' | 'none'
  query: (of: TrackQuestion) => Promise<TrackAnswer>
}

/** Hours after the shipment, at the earliest and at the latest. */
const way: readonly (readonly [
  from: number,
  until: number,
  ParcelState,
  (of: { from: string; to: string; hand: string }) => string,
])[] = [
  [1, 4, 'shipped', ({ from }) => `【${from}】快件已揽收`],
  [5, 9, 'transit', ({ from }) => `快件离开【${from}转运中心】，发往【区域分拨中心】`],
  [16, 26, 'transit', () => '快件到达【区域分拨中心】'],
  [28, 36, 'transit', ({ to }) => `快件离开【区域分拨中心】，发往【${to}】`],
  [40, 52, 'transit', ({ to }) => `快件到达【${to}营业部】`],
  [54, 58, 'delivering', ({ to, hand }) => `【${to}营业部】快递员${hand}正在派件`],
  [60, 64, 'signed', () => '快件已签收，签收人：本人'],
]
const hands = ['小李', '小王', '小张', '小陈', '小刘', '小赵']
/** One in so many parcels meets with a problem, as many stop moving. */
const RARE = 40

/**
 * Traces as a courier would tell them, the same for a number and its shipment whoever asks: more of
 * them the later it is. For the demo, where no parcel moves.
 */
export const embeddedTrack: TrackChannel = {
  name: 'embedded',
  query: async ({ tracking_no, shipped_at, now, from = '发件地', to = '收件地' }) => {
    const bytes = createHash('sha256').update(`${tracking_no}:${shipped_at}`).digest()
    const fate = bytes[31]! % RARE
    const traces: Trace[] = []
    let state: ParcelState = 'shipped'
    for (const [step, [earliest, latest, then, words]] of way.entries()) {
      const at =
        shipped_at +
        earliest * HOUR +
        Math.floor((bytes.readUInt16BE(step * 2) / 65_536) * (latest - earliest) * HOUR)
      if (at > now) break
      if (fate === 1 && then === 'signed') {
        traces.push({ at, text: '派送不成功：收件人电话无法接通' })
        state = 'problem'
        break
      }
      traces.push({ at, text: words({ from, to, hand: hands[bytes[30]! % hands.length]! }) })
      state = then
      if (fate === 0 && step === 2) break
    }
    return { ok: true, state, traces }
  },
}
/** Where no tracking is set up, that is said. */
export const noTrack: TrackChannel = {
  name: 'none',
  query: async () => ({
    ok: false,
    text: ['未配置物流查询 COURIER_API_URL', 'No tracking is set up (COURIER_API_URL)'],
  }),
}

const TIMEOUT_MS = 8000
const ANSWER_MAX = 256 * 1024
const said = z.object({
  state: z.enum(Object.keys(parcelStates) as [ParcelState, ...ParcelState[]]),
  traces: z
    .array(
      z.object({ at: z.int().min(0).max(9_999_999_999), text: z.string().trim().min(1).max(300) }),
    )
    .max(200),
})

/**
 * A tracking service over HTTP: POST JSON `{ code, tracking_no, phone }`, answered by `{ state,
 * traces: [{ at, text }] }`.
 */
export const httpTrack = (
  url: string,
  {
    fetch: ask = fetch,
    timeout_ms = TIMEOUT_MS,
  }: { fetch?: typeof fetch; timeout_ms?: number } = {},
): TrackChannel => ({
  name: 'http',
  query: async ({ code, tracking_no, phone }) => {
    const no = (zh: string, en: string): TrackAnswer => ({
      ok: false,
      text: [`物流查询失败：${zh}`, `Tracking failed: ${en}`],
    })
    const answered = await askService(url, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, tracking_no, ...(phone && { phone }) }),
      shape: said,
      most: ANSWER_MAX,
      timeout_ms,
      ask,
    })
    return 'fault' in answered
      ? no(...answered.fault)
      : {
          ok: true,
          state: answered.said.state,
          traces: answered.said.traces.sort((a, b) => a.at - b.at),
        }
  },
})
