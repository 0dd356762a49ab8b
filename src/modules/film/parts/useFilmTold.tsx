import { useCallback, useState, type ReactNode } from 'react'
import { filmActions, filmDetailActions } from '#commands/film/index.ts'
import { ticketProviders, type TicketProviderKey } from '#src/areas/film/film.ts'
import type { Text } from '#src/domain/text.ts'
import { RevealDialog, type Revealed } from '#src/kit/reveal.tsx'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'

const synced = {
  issued: ['已出票，取票码已发给顾客', 'It is issued, and its code is on its way'],
  failed: ['渠道：出票失败，可重新出票或退款', 'Not issued: issue it anew, or refund it'],
  pending: ['渠道仍在出票，请稍后再查', 'Still being issued: ask again later'],
  silent: ['渠道没有应答，结果未知，请稍后再查', 'The provider is silent: ask again later'],
} as const satisfies Record<string, Text>
const anew = {
  issued: ['核对后发现已出票，没有重复购票', 'It was issued all along, and not bought again'],
  same: ['结果未知，已用原请求号向{name}重试', 'Unknown: {name} is asked again by the old number'],
  new: ['已改由{name}出票', '{name} is asked now'],
} as const satisfies Record<string, Text>
/** What the answers of providers say, and what was revealed, with how long it stays. */
export const useFilmTold = (): ReactNode => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [revealed, setRevealed] = useState<Revealed | undefined>(undefined)
  const hide = useCallback(() => setRevealed(undefined), [])
  useResult(filmActions.syncTicket, ({ outcome }) => {
    toast(say(synced[outcome]), outcome === 'issued' ? 'success' : 'none')
    return true
  })
  useResult(filmActions.reTicket, ({ outcome, provider }) => {
    const name = say(ticketProviders[provider as TicketProviderKey])
    toast(say(anew[outcome], { name }), outcome === 'same' ? 'none' : 'success')
    return true
  })
  const show = (label: Text, value: string, of: { id: number; seconds: number; left: number }) =>
    setRevealed({ label, of: `#${of.id}`, value, seconds: of.seconds, left: of.left })
  useResult(filmActions.revealPhone, of => show(['手机号', 'The phone'], of.phone, of))
  useResult(filmDetailActions.revealCode, of => show(['取票码', 'The ticket code'], of.code, of))
  return revealed && <RevealDialog of={revealed} close={hide} />
}
