import { BanCircle as Ban, Tick } from '@blueprintjs/icons'
import type { ComponentProps } from 'react'
import { issueActions as actions } from '#commands/config/issues.ts'
import { issueCates as page } from '#commands/pages/config.ts'
import { switches } from '#src/areas/people/people.ts'
import { ISSUE_LEVELS, issueSides, slaWords } from '#src/areas/service/issueCate.ts'
import { percent } from '#src/domain/money.ts'
import { aside, comma } from '#src/domain/text.ts'
import { HOUR } from '#src/domain/time.ts'
import { State, type States } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Inspector } from '#src/kit/inspector.tsx'
import { Alarming, Badge, duration, Fact, Facts, Section } from '#src/kit/show.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { TreePage } from '#src/kit/treepage.tsx'
import { issueCate as calls, type IssueCateRow } from '../contract/issueCate.ts'

const states: States<'on' | 'off' | 'above_off'> = {
  on: { text: switches.on, tone: 'good', icon: Tick },
  off: { text: switches.off, icon: Ban },
  above_off: { text: ['上级已停用', 'Disabled above'], icon: Ban },
}
const stateOf = ({ status, is_open }: IssueCateRow) =>
  status === 'on' && !is_open ? 'above_off' : status

const onTime = ({ on_time_bp }: IssueCateRow) =>
  on_time_bp === null ? '—' : percent(Math.round(on_time_bp / 10) * 10)
/** How long tickets took to be finished on average: beyond what is promised it alarms. */
const Handled = ({ of: { handled_s, finish_h } }: { of: IssueCateRow }) => {
  const say = useSay()
  if (handled_s === null) return '—'
  const words = duration(handled_s, say)
  return handled_s > finish_h * HOUR ? <Alarming>{words}</Alarming> : words
}
const figures = [
  {
    key: 'late',
    title: ['超时', 'Late'],
    width: 56,
    cell: row => row.late > 0 && <Alarming>{row.late}</Alarming>,
  },
  { key: 'open', title: ['未办结', 'Open'], width: 56, cell: row => row.open || '' },
  {
    key: 'sla',
    title: ['首响/办结（小时）', 'Reply/close, h'],
    width: 116,
    cell: row => `${row.first_h} / ${row.finish_h}`,
  },
  {
    key: 'handled',
    title: ['平均办结', 'Avg. to close'],
    width: 104,
    cell: row => <Handled of={row} />,
  },
  { key: 'tickets', title: ['工单', 'Tickets'], width: 60, cell: row => row.tickets_all },
] as const satisfies ComponentProps<typeof TreePage<IssueCateRow>>['figures']

const Line = ({ of }: { of: IssueCateRow }) => {
  const say = useSay()
  const isTop = of.parent_id === null
  return (
    <>
      <span className={of.is_open ? 'm-name' : 'm-name m-muted'}>
        {isTop ? <b>{of.name}</b> : of.name}
      </span>
      {isTop && of.side === 'merchant' && <Badge>{say(issueSides.merchant)}</Badge>}
      {of.fallback && <Badge tone="info">{say(['兜底', 'Fallback'])}</Badge>}
      {of.status === 'off' && <State of="off" in={states} />}
      {(of.group_off || of.group_name === '') && (
        <Badge tone="warn">
          {of.group_off
            ? say(['处理组已停用', 'Group disabled'])
            : say(['未设处理组', 'No handling group'])}
        </Badge>
      )}
    </>
  )
}

const Detail = ({ row }: { row: IssueCateRow }) => {
  const say = useSay()
  const now = useLang()
  const asAbove = say(['沿用上级', 'inherited'])
  return (
    <Inspector title={row.name} aside={<State of={stateOf(row)} in={states} />}>
      <Section title={say(['处理', 'Handling'])}>
        <Facts>
          <Fact label={say(['处理组', 'Group'])}>
            {row.group_name || say(['未设置', 'None'])}
            {row.group_name && row.own_group_id === null && (
              <span className="m-muted">{say(aside, { it: asAbove })}</span>
            )}
            {row.group_off && <Badge tone="warn">{say(['已停用', 'Disabled'])}</Badge>}
          </Fact>
          <Fact label={say(['时限', 'Times'])}>
            {slaWords(row, now)}
            {!row.own_sla && <span className="m-muted">{say(aside, { it: asAbove })}</span>}
          </Fact>
          <Fact label={say(['提出方', 'From'])}>{say(issueSides[row.side])}</Fact>
          <Fact label={say(['帮助文章', 'Help article'])}>{row.article_name || '—'}</Fact>
          <Fact wide label={say(['自动回复', 'Auto-reply'])}>
            {row.auto_reply || '—'}
          </Fact>
          {row.took_over.length > 0 && (
            <Fact wide label={say(['并入的分类', 'Took over'])}>
              {row.took_over.join(say(comma))}
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['工单（均值为近 90 天）', 'Tickets (averages of 90 days)'])}>
        <Facts>
          <Fact label={say(['本级', 'This level'])}>{row.tickets}</Fact>
          <Fact label={say(['含下级', 'With sublevels'])}>{row.tickets_all}</Fact>
          <Fact label={say(['未办结', 'Open'])}>{row.open}</Fact>
          <Fact label={say(['超时', 'Late'])}>
            {row.late > 0 ? <Alarming>{row.late}</Alarming> : 0}
          </Fact>
          <Fact label={say(['平均办结', 'Avg. to close'])}>
            <Handled of={row} />
          </Fact>
          <Fact label={say(['首响及时', 'Replied on time'])}>{onTime(row)}</Fact>
        </Facts>
      </Section>
    </Inspector>
  )
}

/** What tickets are filed under: who answers by when, and how that goes. */
export default function IssueCategories() {
  const say = useSay()
  const now = useLang()
  return (
    <TreePage
      name="issues"
      label={titleIn(page, now)}
      read={useRead(calls.lst, {})}
      actions={Object.values(actions)}
      create={actions.create}
      depth={ISSUE_LEVELS}
      move={actions.move}
      wordsOf={row => `${row.name} ${say(issueSides[row.side])} ${row.group_name}`}
      draw={row => <Line of={row} />}
      figures={figures}
      brings={row => `${row.group_name || say(['未设处理组', 'no group'])} · ${slaWords(row, now)}`}
      sum={rows =>
        say(['{n} 个分类 · {late} 张工单超时', '{n} categories · {late} overdue tickets'], {
          n: rows.length,
          late: rows.reduce((sum, row) => sum + row.late, 0),
        })
      }
      none={say(['选择一个分类', 'Choose a category'])}
    >
      {row => <Detail row={row} />}
    </TreePage>
  )
}
