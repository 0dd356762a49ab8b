import { unsendable } from '#src/areas/wecomMaterial/material.ts'
import { attachmentKinds } from '#src/areas/welcome/attachment.ts'
import { hoursText } from '#src/areas/welcome/hours.ts'
import {
  sendOutcomes,
  welcomeScopes,
  welcomeStates,
  type WelcomeState,
} from '#src/areas/welcome/welcome.ts'
import type { WelcomeRow } from '#src/contract/welcome.ts'
import { clause, colon, comma } from '#src/domain/text.ts'
import { numberColumn, stateColumn, textColumn, Words, type States } from './cells.tsx'
import type { Column } from './grid.tsx'
import { Badge } from './show.tsx'
import { useSay } from './text.ts'

export const welcomeLooks: States<WelcomeState> = {
  draft: { text: welcomeStates.draft, tone: 'info' },
  enabled: { text: welcomeStates.enabled, tone: 'good' },
  disabled: { text: welcomeStates.disabled },
}
type Say = ReturnType<typeof useSay>
/** Names of whom a rule is for: two, or the first and how many there are. */
const someOf = (names: readonly string[], say: Say): string => {
  if (names.length <= 2) return names.join(say(comma))
  return say(['{name} 等 {n} 个', '{name}, {n} total'], { name: names[0]!, n: names.length })
}
/** For whom a rule is, in words. */
export const Whom = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  if (row.scope === 'default') return say(['全部员工', 'Everybody'])
  if (row.scope === 'staff') return someOf(row.advisers, say)
  if (row.scope === 'code')
    return row.codes.length > 0 ? someOf(row.codes, say) : say(['未绑定活码', 'No code yet'])
  if (row.mall_id === null) return someOf(row.departments, say)
  return row.departments.length > 0
    ? row.mall_name
    : say(['{mall}（未绑定部门）', '{mall} (no department)'], { mall: row.mall_name })
}
const failedOf = ({ week }: WelcomeRow): number =>
  week.missed + week.taken + week.refused + week.unknown
/** The sends that arrived of all that were tried. */
export const rateOf = (row: WelcomeRow): string => {
  const all = row.week.sent + failedOf(row)
  return all === 0 ? '—' : `${((row.week.sent / all) * 100).toFixed(1)}%`
}
/** What keeps a rule from doing its work though it is on. */
export const Hindered = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  if (row.coupon && !row.coupon.given)
    return <Badge tone="bad">{say(['礼券已停发', 'Coupon ended'])}</Badge>
  if (row.media_fault)
    return (
      <Badge tone="bad" title={row.media_fault}>
        {say(['图片异常', 'Picture fault'])}
      </Badge>
    )
  const [off] = row.materials.filter(one => one.off !== null)
  if (off)
    return (
      <Badge tone="warn" title={`${off.title}${say(colon)}${say(unsendable[off.off!])}`}>
        {say(['素材被跳过', 'Material left out'])}
      </Badge>
    )
  return row.covered === 0 ? <Badge tone="warn">{say(['无人适用', 'For nobody'])}</Badge> : null
}
/** Failed sends of the week by why, for whoever points at their number. */
const failedWords = ({ week }: WelcomeRow, say: Say): string =>
  (['missed', 'taken', 'refused', 'unknown'] as const)
    .filter(key => week[key] > 0)
    .map(key => `${say(sendOutcomes[key])} ${week[key]}`)
    .join(say(clause))
const Failed = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  const n = failedOf(row)
  return (
    <span className={n > 0 ? 'm-num m-bad' : 'm-num'} title={failedWords(row, say) || undefined}>
      {n}
    </span>
  )
}
/** How many attachments of each kind a message has. */
const Attached = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  const kinds = Object.keys(attachmentKinds) as (keyof typeof attachmentKinds)[]
  const words = kinds.flatMap(kind => {
    const n = row.attachments.filter(one => one.kind === kind).length
    return n === 0
      ? []
      : [n === 1 ? say(attachmentKinds[kind]) : `${say(attachmentKinds[kind])} ${n}`]
  })
  return words.join(say(comma)) || '—'
}
/** When a message holds, and how many further ones it has for some hours. */
const Hours = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  return (
    <>
      <Words of={hoursText(row.hours)} />
      {row.versions_n > 0 && say(['，分时段 {n}', ', {n} for hours'], { n: row.versions_n })}
    </>
  )
}
/** A message of some hours says so: it stands right before its rule, which tells for whom. */
const Scope = ({ row }: { row: WelcomeRow }) => {
  const say = useSay()
  const scope = say(welcomeScopes[row.scope])
  if (row.base_id === null) return <Badge>{scope}</Badge>
  return (
    <Badge
      tone="info"
      title={say(['“{name}”的分时段内容', 'For some hours of “{name}”'], { name: row.base_name })}
    >
      {say(['分时段', 'Hours'])}
    </Badge>
  )
}
const column = {
  scope: {
    key: 'scope',
    title: ['范围', 'For'],
    width: 76,
    cell: row => <Scope row={row} />,
  },
  name: { ...textColumn('name', ['名称', 'Name'], 150), grow: true },
  whom: {
    key: 'whom',
    title: ['适用对象', 'Whom'],
    width: 120,
    priority: 1,
    cell: row => <Whom row={row} />,
  },
  text: { ...textColumn('text', ['文字', 'Text'], 170), priority: 1 },
  attached: {
    key: 'attached',
    title: ['附件', 'Attached'],
    width: 92,
    priority: 3,
    cell: row => <Attached row={row} />,
  },
  hours: {
    key: 'hours',
    title: ['生效时间', 'When'],
    width: 176,
    priority: 3,
    cell: row => <Hours row={row} />,
  },
  status: stateColumn('status', ['状态', 'State'], 76, welcomeLooks),
  priority: { ...numberColumn('priority', ['优先级', 'Priority'], 58), priority: 2 },
  covered: { ...numberColumn('covered', ['覆盖员工', 'Advisers'], 68), priority: 3 },
  sent: {
    key: 'sent',
    title: ['7 日发送', 'Sent 7 d'],
    width: 68,
    align: 'end',
    priority: 2,
    cell: row => row.week.sent,
  },
  failed: {
    key: 'failed',
    title: ['7 日失败', 'Failed 7 d'],
    width: 68,
    align: 'end',
    priority: 1,
    cell: row => <Failed row={row} />,
  },
  rate: {
    key: 'rate',
    title: ['送达率', 'Success'],
    width: 62,
    align: 'end',
    priority: 2,
    cell: rateOf,
  },
  hindered: {
    key: 'hindered',
    title: ['提醒', 'Notice'],
    width: 88,
    cell: row => <Hindered row={row} />,
  },
  coupon: {
    key: 'coupon',
    title: ['礼券', 'Coupon'],
    width: 110,
    priority: 4,
    cell: row => row.coupon?.name ?? '—',
  },
} as const satisfies Readonly<Record<string, Column<WelcomeRow>>>
/** What staff look for in the messages of their mall and people. */
export const welcomeColumns: readonly Column<WelcomeRow>[] = [
  column.scope,
  column.name,
  column.whom,
  column.hours,
  column.status,
  column.priority,
  column.covered,
  column.sent,
  column.failed,
  column.rate,
  column.hindered,
  column.coupon,
]
/** What decides who gets which message: the scope first, then what is said and what came of it. */
export const resolvingColumns: readonly Column<WelcomeRow>[] = [
  column.scope,
  column.name,
  column.whom,
  column.text,
  column.attached,
  column.hours,
  column.status,
  column.priority,
  column.covered,
  column.sent,
  column.failed,
  column.rate,
  column.hindered,
]
