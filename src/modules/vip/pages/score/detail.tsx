import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { orderDetailOf } from '#commands/pages/order.ts'
import { membersPage, scoreDetailPage as page } from '#commands/pages/vip.ts'
import { scoreDetailActions as actions } from '#commands/vip/scoreDetail.ts'
import { pointsBiz, pointsMoves } from '#src/areas/points/points.ts'
import { SmallTable, textColumn, timeColumn, wordColumn } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useDetailAction } from '#src/kit/detail.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Period } from '#src/kit/period.tsx'
import { Badge, Delta, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { scoreDetail as calls, type PointsRow as Row } from '../../contract/scoreDetail.ts'
import { SizeFilter } from '../../parts/SizeFilter.tsx'

const count = (n: number) => n.toLocaleString('en-US')
const columns: readonly Column<Row>[] = [
  timeColumn('at', ['时间', 'Time'], 116),
  textColumn('nickname', ['会员', 'Member'], 120),
  wordColumn('kind', ['类型', 'Kind'], 84, pointsMoves),
  { ...wordColumn('biz_kind', ['业务', 'Business'], 92, pointsBiz), priority: 2 },
  { ...textColumn('title', ['说明', 'Description'], 140), grow: true, priority: 1 },
  { ...textColumn('biz_no', ['业务单号', 'Reference no.'], 160), priority: 3 },
  {
    key: 'delta',
    title: ['变动', 'Change'],
    width: 84,
    align: 'end',
    cell: row => <Delta of={row.delta} />,
    words: row => String(row.delta),
  },
  {
    key: 'balance_after',
    title: ['变动后', 'After'],
    width: 92,
    align: 'end',
    cell: row => <span className="m-num">{count(row.balance_after)}</span>,
    words: row => String(row.balance_after),
  },
  { ...textColumn('operator', ['操作人', 'By'], 84), priority: 4 },
]
/** The order that a row came of, for whoever may open it. */
const OrderNo = ({ of }: { of: Row['order'] }) => {
  const { me } = useWorkbench()
  if (!of) return '—'
  const detail = orderDetailOf(of.kind)
  return detail && me.can(detail.permit) ? (
    <Link href={to(detail, { id: of.id })}>{of.order_no}</Link>
  ) : (
    of.order_no
  )
}
/** The lots that a row made, took from or gave back to, and what was noted about it. */
const Lots = ({ row }: { row: Row }) => {
  const say = useSay()
  const read = useRead(calls.lots, { id: row.id })
  return (
    <Answer of={read} lines={4}>
      {({ lots, notes }) => (
        <>
          <Section title={say(['积分批次', 'Lots'])}>
            {lots.length === 0 ? (
              <p className="m-muted">{say(['本行没有动用批次。', 'This entry used no lots.'])}</p>
            ) : (
              <SmallTable
                head={[
                  ['来源', 'From'],
                  ['本行', 'This entry'],
                  ['剩余', 'Left'],
                  ['已过期', 'Expired'],
                  ['到期', 'Expires'],
                ]}
                rows={lots}
                keyOf={lot => lot.lot_id}
                cells={lot => [
                  lot.from?.title ?? say(['批次 {n}', 'Lot {n}'], { n: lot.lot_id }),
                  lot.n,
                  lot.remain,
                  lot.expired,
                  <When key="ends" at={lot.expire_at} />,
                ]}
              />
            )}
          </Section>
          {notes.length > 0 && (
            <Section title={say(['补充备注', 'Notes'])}>
              <SmallTable
                head={[
                  ['备注', 'Note'],
                  ['备注人', 'By'],
                  ['时间', 'Time'],
                ]}
                rows={notes}
                keyOf={one => one.id}
                cells={one => [one.note, one.by, <When key="at" at={one.at} />]}
              />
            </Section>
          )}
        </>
      )}
    </Answer>
  )
}
/** On to the other rows of whose points moved, and to what is done about these. */
const Whose = ({ row }: { row: Row }) => {
  const say = useSay()
  const { me } = useWorkbench()
  return (
    <>
      <Fact wide label={say(['会员', 'Member'])}>
        <Link href={to(page, { member: String(row.member_id) })}>
          {say(['{name}（只看该会员）', '{name} (only this member)'], { name: row.nickname })}
        </Link>
      </Fact>
      {me.can(membersPage.permit) && (
        <Fact wide label={say(['会员档案', 'Record'])}>
          <Link href={to(membersPage, { member_id: row.member_id })}>{row.uid}</Link>
        </Fact>
      )}
    </>
  )
}
const Detail = ({ row, traced }: { row: Row; traced: boolean }) => {
  const say = useSay()
  return (
    <Inspector
      title={row.title || say(pointsMoves[row.kind])}
      aside={<Badge>{say(pointsMoves[row.kind])}</Badge>}
    >
      <Section title={say(['变动', 'Change'])}>
        <Facts>
          <Fact label={say(['积分', 'Points'])}>
            <Delta of={row.delta} />
          </Fact>
          <Fact label={say(['变动后余额', 'Balance after'])}>{row.balance_after}</Fact>
          {row.frozen_delta !== 0 && (
            <Fact label={say(['冻结', 'Frozen'])}>
              <Delta of={row.frozen_delta} />
            </Fact>
          )}
          {row.debt_delta !== 0 && (
            <Fact label={say(['欠分', 'Owed'])}>
              <Delta of={row.debt_delta} />
            </Fact>
          )}
          {row.expire_at !== null && (
            <Fact label={say(['到期', 'Expires'])}>
              <When at={row.expire_at} />
            </Fact>
          )}
          {row.over > 0 && <Fact label={say(['已过期', 'Expired'])}>{count(row.over)}</Fact>}
          {row.taken > 0 && <Fact label={say(['已收回', 'Revoked'])}>{count(row.taken)}</Fact>}
        </Facts>
      </Section>
      <Section title={say(['来源', 'Source'])}>
        <Facts>
          <Whose row={row} />
          <Fact label={say(['业务', 'Business'])}>{say(pointsBiz[row.biz_kind])}</Fact>
          <Fact label={say(['操作人', 'By'])}>{row.operator || say(['自动', 'Automatic'])}</Fact>
          <Fact wide label={say(['业务单号', 'Reference no.'])}>
            {row.biz_no}
          </Fact>
          <Fact wide label={say(['订单', 'Order'])}>
            <OrderNo of={row.order} />
          </Fact>
          {row.rule && (
            <Fact wide label={say(['积分规则', 'Rule'])}>
              {row.rule.name}
            </Fact>
          )}
          {row.reversed_by !== null && (
            <Fact wide label={say(['冲正', 'Reversal'])}>
              {say(['已被流水 {n} 冲正', 'Reversed by entry {n}'], { n: row.reversed_by })}
            </Fact>
          )}
          {row.reverses_id !== null && (
            <Fact wide label={say(['冲正对象', 'Reverses'])}>
              {say(['流水 {n}', 'Entry {n}'], { n: row.reverses_id })}
            </Fact>
          )}
          <Fact label={say(['时间', 'Time'])}>
            <When at={row.at} />
          </Fact>
          {row.note && (
            <Fact wide label={say(['备注', 'Note'])}>
              {row.note}
            </Fact>
          )}
        </Facts>
      </Section>
      {traced && <Lots row={row} />}
    </Inspector>
  )
}

/** Every move of points; of one member, the balance as it ran. */
export default function ScoreDetail() {
  const say = useSay()
  const list = useList(calls.lst)
  const [traced, setTraced] = usePaneState('traced', true)
  const { data: told } = useRead(calls.lst, { ...list.input, page: 1, pageSize: 1 })
  const { me } = useWorkbench()
  useExport(actions.export, calls.export, { list })
  useDetailAction(actions.traceLots, () => setTraced(!traced))
  const who = told?.member
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['积分流水', 'Points ledger'])}
        columns={columns}
        actions={Object.values(actions)}
        aside={
          who && (
            <span className="m-muted">
              {say(
                [
                  '{name}：现有 {n}，冻结 {frozen}，欠分 {debt}',
                  '{name}: {n}, {frozen} frozen, {debt} owed',
                ],
                {
                  name: who.nickname,
                  n: count(who.points),
                  frozen: count(who.points_frozen),
                  debt: count(who.points_debt),
                },
              )}
            </span>
          )
        }
        filters={
          <>
            <Keyword
              of={list}
              by="member"
              placeholder={say(['会员编号或 UID', 'Member ID or UID'])}
            />
            <Keyword of={list} by="biz_no" placeholder={say(['业务单号', 'Reference no.'])} />
            <Choice of={list} by="kind" label={say(['类型', 'Kind'])} words={pointsMoves} />
            <Choice of={list} by="biz_kind" label={say(['业务', 'Business'])} words={pointsBiz} />
            <Keyword of={list} by="rule_id" placeholder={say(['规则编号', 'Rule ID'])} />
            <Keyword of={list} by="operator_id" placeholder={say(['操作人编号', 'Operator ID'])} />
            <SizeFilter of={list} />
            <Period of={list} from="from" to="to" most={731} usual={['全部时间', 'Any time']} />
          </>
        }
      />
      <Chosen
        of={list}
        none={say(['选择一行查看来源与批次', 'Choose an entry to see its source and lots'])}
      >
        {row => <Detail row={row} traced={traced && me.can(calls.lots.permit)} />}
      </Chosen>
    </ListDetail>
  )
}
