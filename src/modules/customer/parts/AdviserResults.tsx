import { HTMLSelect } from '@blueprintjs/core'
import { useState } from 'react'
import { partStates, resultStates } from '#src/areas/wecom/sending.ts'
import { semicolon } from '#src/domain/text.ts'
import { SmallTable, Words } from '#src/kit/cells.tsx'
import { Section } from '#src/kit/show.tsx'
import { useSay, wecomSaid } from '#src/kit/text.ts'
import type { SegmentUse } from '../contract/groups.ts'

type Adviser = SegmentUse['advisers'][number]
/** The people who did not get it, by the reason. */
const missed = (of: Adviser) =>
  [
    [resultStates.not_friend, of.not_friend],
    [resultStates.over_limit, of.over_limit],
    [resultStates.failed, of.stopped],
  ] as const
/** What each adviser did with a text to the segment; the latest one unless another is chosen. */
export const AdviserResults = ({ of }: { of: readonly SegmentUse[] }) => {
  const say = useSay()
  const sends = of.filter(one => one.kind === 'send')
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const shown = sends.find(one => one.id === chosen) ?? sends[0]
  if (!shown) return null
  return (
    <Section
      title={say(['群发成员进度', 'Broadcast progress by adviser'])}
      aside={
        sends.length > 1 && (
          <HTMLSelect
            aria-label={say(['群发', 'Text'])}
            value={shown.id}
            onChange={event => setChosen(Number(event.target.value))}
            options={sends.map(one => ({ value: one.id, label: one.what.slice(0, 16) }))}
          />
        )
      }
    >
      <SmallTable
        head={[
          ['成员', 'Adviser'],
          ['状态', 'State'],
          ['已发送', 'Sent'],
          ['待发送', 'To send'],
          ['未送达', 'Not delivered'],
          ['原因', 'Reason'],
        ]}
        rows={shown.advisers}
        keyOf={one => one.staff_id}
        cells={one => [
          one.name,
          one.state ? <Words key="state" of={partStates[one.state]} /> : '—',
          one.sent,
          one.unsent,
          missed(one).reduce((sum, [, n]) => sum + n, 0),
          [
            wecomSaid(say, one),
            ...missed(one).map(([words, n]) => (n > 0 ? `${say(words)} ${n}` : '')),
          ]
            .filter(Boolean)
            .join(say(semicolon)) || '—',
        ]}
      />
    </Section>
  )
}
