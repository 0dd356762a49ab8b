import { Confirm, Edit, Pause, Tick } from '@blueprintjs/icons'
import { CHANNEL_ENDING_S } from '#src/areas/ecard/channel.ts'
import { channelStates, type ChannelState } from '#src/areas/ecard/ecard.ts'
import { percent } from '#src/domain/money.ts'
import type { States } from '#src/kit/cells.tsx'
import type { ChannelRow } from '../contract/channel.ts'

export const channelLooks: States<ChannelState> = {
  draft: { text: channelStates.draft, icon: Edit },
  on: { text: channelStates.on, tone: 'good', icon: Tick },
  off: { text: channelStates.off, tone: 'warn', icon: Pause },
  ended: { text: channelStates.ended, icon: Confirm },
}
/** `85%–95%`, or one share where all are the same; a dash without cards. */
export const shareRange = (row: Pick<ChannelRow, 'cards'>): string => {
  const shares = row.cards.map(one => one.discount_bp)
  if (shares.length === 0) return '—'
  const [low, high] = [Math.min(...shares), Math.max(...shares)]
  return low === high ? percent(low) : `${percent(low)}–${percent(high)}`
}
/** Returned of what was issued; a dash where nothing was. */
export const backRate = (row: Pick<ChannelRow, 'issued_n' | 'back_n'>): string =>
  row.issued_n === 0 ? '—' : percent(Math.round((row.back_n / row.issued_n) * 1000) * 10)
/** The contract of an open channel ends within 30 days. */
export const endsSoon = (row: Pick<ChannelRow, 'status' | 'end_at'>, now: number): boolean =>
  row.end_at !== null &&
  (row.status === 'on' || row.status === 'off') &&
  row.end_at < now + CHANNEL_ENDING_S
