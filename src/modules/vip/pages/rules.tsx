import { useDispatch } from 'react-redux'
import { levelRuleActions as actions } from '#commands/vip/rules.ts'
import { ladderStates } from '#src/areas/level/level.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { numberColumn, SmallTable, State, textColumn, type States } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { dispatchRead, useRead } from '#src/kit/data.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { rules as calls, type LevelRow as Row } from '../contract/rules.ts'

const states: States<Row['state']> = {
  draft: { text: ladderStates.draft, tone: 'info' },
  waiting: { text: ladderStates.waiting, tone: 'warn' },
  live: { text: ladderStates.live, tone: 'good' },
  archived: { text: ladderStates.archived },
  rejected: { text: ladderStates.rejected, tone: 'bad' },
}
/** 9.5 折, or a dash where the price is whole. */
const Discount = ({ bp }: { bp: number }) => {
  const say = useSay()
  if (bp === 10_000) return <span className="m-muted">—</span>
  return <>{say(['{n} 折', '{off} off'], { n: bp / 1000, off: percent(10_000 - bp) })}</>
}
const Moved = ({ row }: { row: Row }) => {
  const say = useSay()
  const { growth_min, live_growth_min, state } = row
  const now = growth_min.toLocaleString('en-US')
  if (state === 'live' || live_growth_min === null || live_growth_min === growth_min)
    return <>{now}</>
  return (
    <span title={say(['生效中：{n}', 'In force: {n}'], { n: live_growth_min })}>
      <span className="m-muted">{live_growth_min.toLocaleString('en-US')} → </span>
      {now}
    </span>
  )
}
const columns: readonly Column<Row>[] = [
  {
    key: 'ladder_no',
    title: ['版本', 'Version'],
    width: 64,
    align: 'end',
    cell: row => row.ladder_no,
  },
  {
    key: 'state',
    title: ['状态', 'State'],
    width: 92,
    cell: row => <State of={row.state} in={states} />,
  },
  { ...numberColumn('no', ['级', 'Level'], 48), priority: 1 },
  { ...textColumn('name', ['名称', 'Name'], 108), grow: true },
  {
    key: 'growth_min',
    title: ['成长值门槛', 'Growth needed'],
    width: 132,
    align: 'end',
    cell: row => <Moved row={row} />,
  },
  { ...numberColumn('keep_growth', ['保级', 'To keep'], 84), priority: 2 },
  { ...numberColumn('keep_days', ['保级天数', 'Keep days'], 80), priority: 3 },
  {
    key: 'discount_bp',
    title: ['折扣', 'Discount'],
    width: 80,
    align: 'end',
    cell: row => <Discount bp={row.discount_bp} />,
  },
  {
    key: 'points_multiplier_bp',
    title: ['积分倍率', 'Points ×'],
    width: 80,
    align: 'end',
    priority: 3,
    cell: row => `×${row.points_multiplier_bp / 10_000}`,
  },
  numberColumn('member_count', ['现有会员', 'Members'], 88),
]
/** How many members each level has, and would have by the version. */
const Distribution = ({ row }: { row: Row }) => {
  const say = useSay()
  const read = useRead(calls.simulate, { id: row.ladder_id })
  return (
    <Section
      title={say(['第 {n} 版的等级分布', 'Members by level, version {n}'], { n: row.ladder_no })}
    >
      <Answer of={read}>
        {({ levels, up, down, same }) => (
          <>
            <Chart
              label={say(['会员等级分布', 'Members by level'])}
              categories={levels.map(level => level.name)}
              unit={say(['人', 'members'])}
              height={180}
              series={[
                {
                  name: say(['现在', 'Now']),
                  kind: 'bar',
                  faint: true,
                  values: levels.map(level => level.now),
                },
                {
                  name: say(['按此版本', 'Under this version']),
                  kind: 'bar',
                  values: levels.map(level => level.tried),
                },
              ]}
            />
            <Facts>
              <Fact label={say(['升级', 'Upgraded'])}>{up}</Fact>
              <Fact label={say(['到保级日降级', 'Downgraded at keep date'])}>{down}</Fact>
              <Fact label={say(['不变', 'Unchanged'])}>{same}</Fact>
            </Facts>
          </>
        )}
      </Answer>
    </Section>
  )
}
/** A version by its number; what it is, where it is not the past. */
const headOf = (no: number, state: Row['state']): Text =>
  state === 'archived'
    ? [`第 ${no} 版`, `No. ${no}`]
    : [`第 ${no} 版 ${ladderStates[state][0]}`, `No. ${no} ${ladderStates[state][1]}`]
const Versions = () => {
  const say = useSay()
  const read = useRead(calls.versions, {})
  return (
    <Answer of={read}>
      {({ list, agreement }) => (
        <>
          <Section title={say(['版本对比：成长值门槛', 'Versions compared: growth needed'])}>
            <SmallTable
              head={[['级', 'Level'], ...list.map(({ no, state }) => headOf(no, state))]}
              rows={[0, 1, 2, 3, 4, 5]}
              keyOf={no => no}
              cells={no => [
                no,
                ...list.map(({ levels }) => levels.find(one => one.no === no)?.growth_min ?? '—'),
              ]}
            />
          </Section>
          <Section title={say(['会员协议', 'Member agreement'])}>
            {agreement ? (
              <Facts>
                <Fact label={say(['版本', 'Version'])}>{agreement.version_no}</Fact>
                <Fact label={say(['生效', 'Effective'])}>
                  <When at={agreement.effective_at} />
                </Fact>
              </Facts>
            ) : (
              <p className="m-muted">
                {say(['还没有发布过会员协议。', 'No agreement published yet.'])}
              </p>
            )}
          </Section>
        </>
      )}
    </Answer>
  )
}
const Earns = ({ of }: { of: Row['earns'] }) => {
  const say = useSay()
  const n = (count: number) => say(['{n} 点', '{n}'], { n: count })
  return (
    <Section title={say(['成长值获取', 'Earning growth'])}>
      <Facts>
        <Fact label={say(['每消费', 'For every'])}>
          ¥{yuan(of.buy_cents)} → {n(1)}
        </Fact>
        <Fact label={say(['签到', 'Sign-in'])}>{n(of.sign)}</Fact>
        <Fact label={say(['评价', 'Review'])}>
          {say(['{n} 点，每日 {max} 次', '{n}, {max} a day'], {
            n: of.comment,
            max: of.comment_daily,
          })}
        </Fact>
        <Fact label={say(['完善资料', 'Profile'])}>{n(of.profile)}</Fact>
        <Fact label={say(['获得勋章', 'Badge'])}>{n(of.achieve)}</Fact>
      </Facts>
    </Section>
  )
}
const Detail = ({ row }: { row: Row }) => {
  const say = useSay()
  const title = say(['第 {no} 版 · {name}', 'Version {no} · {name}'], {
    no: row.ladder_no,
    name: row.name,
  })
  return (
    <Inspector title={title} aside={<State of={row.state} in={states} />}>
      <Section title={say(['版本', 'Version'])}>
        <Facts>
          <Fact label={say(['修改或提交人', 'Edited or submitted by'])}>
            {row.maker || say(['系统', 'System'])}
          </Fact>
          <Fact label={say(['复核人', 'Approved by'])}>{row.checker || '—'}</Fact>
          <Fact label={say(['生效时间', 'Effective from'])}>
            <When at={row.effective_at} />
          </Fact>
          {row.based_on !== null && <Fact label={say(['基于', 'Based on'])}>{row.based_on}</Fact>}
          {row.state === 'live' && !row.recalc_done && (
            <Fact label={say(['会员重算', 'Recalculation'])}>{say(['进行中', 'In progress'])}</Fact>
          )}
          <Fact wide label={say(['原因', 'Reason'])}>
            {row.reason || '—'}
          </Fact>
          {row.reject_reason !== '' && (
            <Fact wide label={say(['驳回原因', 'Reject reason'])}>
              {row.reject_reason}
            </Fact>
          )}
          {row.merged.length > 0 && (
            <Fact wide label={say(['并入', 'Merged'])}>
              {row.merged.map(one => `V${one.level} → V${one.into}`).join(say(comma))}
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['权益', 'Benefits'])}>
        <Facts>
          <Fact wide label={say(['权益', 'Benefits'])}>
            {row.benefits.join(say(comma)) || '—'}
          </Fact>
          <Fact label={say(['升级赠送积分', 'Upgrade bonus points'])}>{row.gift_points}</Fact>
        </Facts>
      </Section>
      <Distribution row={row} />
      <Earns of={row.earns} />
      <Versions />
    </Inspector>
  )
}

/** Tries a version on all members anew and tells in one line what it comes to. */
const useSimulated = () => {
  const say = useSay()
  const dispatch = useDispatch()
  const { toast } = useWorkbench()
  useAction(actions.simulate, ([row]) => {
    const id = (row as Row).ladder_id
    dispatchRead(dispatch as never, calls.simulate, { id }, true).then(
      ({ no, up, down }) =>
        toast(
          say(
            [
              '第 {no} 版：{up} 人升级，{down} 人到保级日降级',
              'Version {no}: {up} upgraded, {down} downgraded at keep date',
            ],
            {
              no,
              up,
              down,
            },
          ),
        ),
      () => undefined,
    )
  })
}
/** The ladder of levels, version by version; what is changed is a draft until two people publish it. */
export default function LevelRules() {
  const say = useSay()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, ladderStates)
  useSimulated()
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['等级规则', 'Level rules'])}
        columns={columns}
        actions={Object.values(actions)}
        tabs={tabs}
      />
      <Chosen
        of={list}
        none={say([
          '选择一个等级，查看会员分布与版本对比',
          'Choose a level to see its members and compare versions',
        ])}
      >
        {row => <Detail row={row} />}
      </Chosen>
    </ListDetail>
  )
}
