import type { z } from 'zod'
import { transferKinds, transferStates, type StaffState } from '#src/areas/wecom/wecom.ts'
import type { transferRow } from '#src/contract/wecom.ts'
import { SmallTable, State, Words, type States } from '#src/kit/cells.tsx'
import { When } from '#src/kit/show.tsx'
import { useSay, wecomSaid } from '#src/kit/text.ts'

export const staffLooks: States<StaffState> = {
  active: { text: ['在职', 'Active'], tone: 'good' },
  inactive: { text: ['未激活', 'Not activated'], tone: 'warn' },
  disabled: { text: ['已禁用', 'Disabled'], tone: 'warn' },
  left: { text: ['已离职', 'Left'] },
}
const transferLooks: States<keyof typeof transferStates> = {
  waiting: { text: transferStates.waiting, tone: 'info' },
  done: { text: transferStates.done, tone: 'good' },
  refused: { text: transferStates.refused, tone: 'warn' },
  cap_reached: { text: transferStates.cap_reached, tone: 'warn' },
  failed: { text: transferStates.failed, tone: 'bad' },
  canceled: { text: transferStates.canceled },
}
type Row = z.output<typeof transferRow>
/** Hand-overs, each with what WeCom said of it. */
export const Transfers = ({ rows }: { rows: readonly Row[] }) => {
  const say = useSay()
  if (rows.length === 0) return <p className="m-muted">{say(['没有转接记录', 'No hand-overs'])}</p>
  const whyOf = (row: Row): string => {
    const said = wecomSaid(say, { error: row.fail_reason, errcode: row.fail_code })
    if (row.status === 'waiting' && row.sent_at === null)
      return said || say(['待提交企微', 'Not sent yet'])
    return said
  }
  return (
    <SmallTable
      head={[
        ['对象', 'What'],
        ['方式', 'How'],
        ['原成员', 'From'],
        ['接收', 'To'],
        ['状态', 'State'],
        ['时间', 'Time'],
      ]}
      rows={rows}
      keyOf={row => row.id}
      cells={row => [
        row.what,
        <Words key="kind" of={transferKinds[row.kind]} />,
        row.from_name,
        row.to_name,
        <span key="state" title={whyOf(row)}>
          <State of={row.status} in={transferLooks} title={whyOf(row) || undefined} />
        </span>,
        <When key="at" at={row.done_at ?? row.created_at} />,
      ]}
    />
  )
}
