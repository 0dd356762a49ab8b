import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { membersPage, scoreDetailPage } from '#commands/pages/vip.ts'
import { scoreBuyActions as actions } from '#commands/vip/scoreBuy.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { excludeScopes, type ExcludeScope } from '#src/areas/pointsRule/rule.ts'
import type { Result } from '#src/contract/call.ts'
import { comma } from '#src/domain/text.ts'
import { numberColumn, onOff, SmallTable, State, stateColumn, textColumn } from '#src/kit/cells.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { scoreBuy as calls, type BuyRow as Row } from '../../contract/scoreBuy.ts'
import { useTried } from '../../parts/tried.ts'

const Kinds = ({ of }: { of: Row['kinds'] }) => {
  const say = useSay()
  return <>{of.map(kind => say(orderKinds[kind])).join(say(comma))}</>
}
const columns: readonly Column<Row>[] = [
  textColumn('name', ['规则', 'Rule'], 130),
  stateColumn('status', ['状态', 'State'], 84, onOff),
  {
    key: 'kinds',
    title: ['参与业务', 'Eligible orders'],
    width: 200,
    grow: true,
    cell: row => <Kinds of={row.kinds} />,
  },
  {
    key: 'daily_cap',
    title: ['每日上限', 'Daily cap'],
    width: 84,
    align: 'end',
    cell: row => row.daily_cap?.toLocaleString('en-US') ?? '—',
  },
  numberColumn('issued', ['近 30 天发放', 'Issued, 30 d'], 108),
]
const scopes = Object.keys(excludeScopes) as ExcludeScope[]
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  const none = scopes.every(scope => row.exclude[scope].length === 0)
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={onOff} />}>
      <Section title={say(['设置', 'Settings'])}>
        <Facts>
          <Fact wide label={say(['参与业务', 'Eligible orders'])}>
            <Kinds of={row.kinds} />
          </Fact>
          <Fact label={say(['发放时机', 'Issued'])}>
            {say(
              row.at === 'used'
                ? ['核销或收货后', 'After use or receipt']
                : ['支付后', 'After payment'],
            )}
          </Fact>
          <Fact label={say(['每人每日上限', 'Per member per day'])}>
            {row.daily_cap?.toLocaleString('en-US') ?? say(['不限', 'No limit'])}
          </Fact>
          <Fact label={say(['开始', 'From'])}>
            <When at={row.start_at} />
          </Fact>
          <Fact label={say(['结束', 'Until'])}>
            {row.end_at === null ? say(['长期', 'No end date']) : <When at={row.end_at} />}
          </Fact>
          {row.off_reason && (
            <Fact wide label={say(['停用原因', 'Reason disabled'])}>
              {row.off_reason}
            </Fact>
          )}
        </Facts>
        <p className="m-muted">
          {say([
            '按实付金额计分，优惠券与积分抵扣不计；每单向下取整，退款按比例收回。',
            'Based on the amount paid after coupons and points, rounded down per order; refunds take points back pro rata.',
          ])}
        </p>
      </Section>
      <Section title={say(['排除范围', 'Excluded'])}>
        {none ? (
          <p className="m-muted">{say(['没有排除范围。', 'Nothing is excluded.'])}</p>
        ) : (
          <SmallTable
            head={[
              ['范围', 'Scope'],
              ['名称', 'Name'],
            ]}
            rows={scopes.flatMap(scope => row.exclude[scope].map(one => ({ ...one, scope })))}
            keyOf={one => `${one.scope}${one.id}`}
            cells={one => [say(excludeScopes[one.scope]), one.name]}
          />
        )}
      </Section>
    </Inspector>
  )
}
type Tried = Result<typeof calls.testOrder>
/** On to whose points they are, and to all that came and went of them. */
const Whose = ({ of }: { of: NonNullable<Tried['member']> }) => {
  const say = useSay()
  const { me } = useWorkbench()
  return (
    <>
      <Fact label={say(['会员', 'Member'])}>
        {me.can(membersPage.permit) ? (
          <Link href={to(membersPage, { member_id: of.id })}>{of.name}</Link>
        ) : (
          of.name
        )}
      </Fact>
      {me.can(scoreDetailPage.permit) && (
        <Fact label={say(['积分流水', 'Points ledger'])}>
          <Link href={to(scoreDetailPage, { member: String(of.id) })}>
            {say(['查看该会员流水', 'This member’s entries'])}
          </Link>
        </Fact>
      )}
    </>
  )
}
const Trial = ({ of }: { of: Tried }) => {
  const say = useSay()
  return (
    <Section title={say(['试算：{no}', 'Trial: {no}'], { no: of.order_no })}>
      <SmallTable
        head={[
          ['步骤', 'Step'],
          ['积分', 'Points'],
        ]}
        rows={of.steps}
        keyOf={one => one.zh}
        cells={one => [say([one.zh, one.en]), one.points ?? '']}
      />
      <Facts>
        <Fact label={say(['应得积分', 'Points due'])}>
          <b className="m-num">{of.points.toLocaleString('en-US')}</b>
        </Fact>
        <Fact label={say(['已发积分', 'Issued'])}>
          {of.booked?.toLocaleString('en-US') ?? say(['未发放', 'Not yet'])}
        </Fact>
        {of.member && <Whose of={of.member} />}
      </Facts>
    </Section>
  )
}

/** Which paid business earns points, and what an order earns step by step. */
export default function ScoreBuy() {
  const say = useSay()
  const list = useList(calls.lst)
  const tried = useTried(actions.testOrder, calls.testOrder)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['消费送积分', 'Points for spending'])}
        columns={columns}
        actions={Object.values(actions)}
      />
      <Chosen of={list} none={say(['选择规则查看设置', 'Choose the rule'])}>
        {row => (
          <>
            {tried && <Trial of={tried} />}
            <Detail row={row} />
          </>
        )}
      </Chosen>
    </ListDetail>
  )
}
