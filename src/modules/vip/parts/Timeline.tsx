import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { couponPieces } from '#src/areas/coupon/couponWords.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { timelineKinds, type TimelineKind } from '#src/areas/wecom/timeline.ts'
import { transferStates } from '#src/areas/wecom/wecom.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { customerDetail as calls, type TimelineEntry } from '../contract/weChatCustomerDetail.ts'

const tones: Partial<Record<TimelineKind, ToneName>> = {
  added: 'good',
  deleted_by_customer: 'bad',
  deleted_by_staff: 'warn',
  left: 'warn',
  transfer: 'info',
  note: 'info',
}
/** What happened, in a few words. */
const Told = ({ of }: { of: TimelineEntry }): ReactNode => {
  const say = useSay()
  const word = (words: Readonly<Record<string, readonly [string, string]>>, key: string) =>
    Object.hasOwn(words, key) ? say(words[key]!) : key
  switch (of.kind) {
    case 'transfer':
      return `${of.who} → ${of.other} · ${word(transferStates, of.state)}${of.text && ` · ${of.text}`}`
    case 'joined':
    case 'left':
      return of.who || say(['其他商场的群', 'A chat of another mall'])
    case 'note':
      return (
        <>
          {of.text} <span className="m-muted">{of.who}</span>
        </>
      )
    case 'tag':
    case 'remark':
      return (
        <>
          {of.state === 'failed' && <Badge tone="bad">{say(['企微拒绝', 'Refused'])}</Badge>}{' '}
          {of.text || '—'} <span className="m-muted">{[of.other, of.who].join(' · ')}</span>
        </>
      )
    case 'order':
      return (
        <>
          {word(orderKinds, of.state)} {of.other} <Money cents={Number(of.text)} sign />
        </>
      )
    case 'coupon':
      return `${of.other} · ${word(couponPieces, of.state)}`
    case 'mass':
      return `${of.who}：${of.text}`
    default:
      return of.who
  }
}
/** All that is known of a customer by time, the latest first, each thing once. */
export const Timeline = ({ id }: { id: number }) => {
  const say = useSay()
  const [page, setPage] = usePaneState('timeline', 1)
  const read = useRead(calls.timeline, { id, page })
  return (
    <Section title={say(['时间线', 'Timeline'])}>
      <Answer of={read} lines={10}>
        {({ list, more }) =>
          list.length === 0 ? (
            <p className="m-muted">{say(['还没有记录', 'Nothing yet'])}</p>
          ) : (
            <>
              <SmallTable
                head={[
                  ['时间', 'When'],
                  ['事件', 'What'],
                  ['内容', 'Of it'],
                ]}
                rows={list}
                keyOf={one => one.key}
                cells={one => [
                  <When key="at" at={one.at} />,
                  <Badge key="kind" {...(tones[one.kind] && { tone: tones[one.kind]! })}>
                    {say(timelineKinds[one.kind])}
                  </Badge>,
                  <Told key="told" of={one} />,
                ]}
              />
              {(more || page > 1) && (
                <p className="vp-pages">
                  <Button
                    size="small"
                    disabled={page === 1}
                    onClick={() => setPage(page - 1)}
                    text={say(['较新', 'Newer'])}
                  />
                  <Button
                    size="small"
                    disabled={!more}
                    onClick={() => setPage(page + 1)}
                    text={say(['更早', 'Older'])}
                  />
                </p>
              )}
            </>
          )
        }
      </Answer>
    </Section>
  )
}
