import { vipCodeActions as actions } from '#commands/vip/cardManage.ts'
import { vipCodeStates, WRONG_MOST, type VipCodeState } from '#src/areas/vipCard/code.ts'
import { unixNow } from '#src/domain/time.ts'
import { State, stateColumn, textColumn, timeColumn, type States } from '#src/kit/cells.tsx'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { vipCodes as calls, type VipCodeRow } from '../contract/cardManage.ts'

const looks: States<VipCodeState> = {
  unissued: { text: vipCodeStates.unissued },
  issued: { text: vipCodeStates.issued, tone: 'info' },
  activated: { text: vipCodeStates.activated, tone: 'good' },
  frozen: { text: vipCodeStates.frozen, tone: 'warn' },
  void: { text: vipCodeStates.void },
  expired: { text: vipCodeStates.expired, tone: 'bad' },
}
const isLocked = (row: VipCodeRow): boolean =>
  row.locked_until !== null && row.locked_until > unixNow()
const columns: readonly Column<VipCodeRow>[] = [
  {
    key: 'card_no',
    title: ['卡号', 'Number'],
    width: 160,
    cell: row => <span className="m-num">{row.card_no}</span>,
    words: row => row.card_no,
  },
  stateColumn('status', ['状态', 'State'], 92, looks),
  { ...textColumn('card_name', ['卡种', 'Plan'], 150), grow: true },
  { ...textColumn('holder', ['绑定会员', 'Bound to'], 110), grow: true },
  { ...textColumn('channel', ['渠道', 'Channel'], 120), priority: 2 },
  { ...textColumn('batch_no', ['批次', 'Batch'], 80), priority: 3 },
  timeColumn('expire_at', ['有效期至', 'Valid until'], 112),
  { ...timeColumn('activated_at', ['激活时间', 'Activated'], 112), priority: 1 },
]
const NumberDetail = ({ row }: { row: VipCodeRow }) => {
  const say = useSay()
  return (
    <Inspector
      title={row.card_no}
      aside={
        <>
          <State of={row.status} in={looks} />
          {isLocked(row) && <Badge tone="bad">{say(['密码锁定', 'Locked'])}</Badge>}
        </>
      }
    >
      <Section title={say(['卡号', 'Number'])}>
        <Facts>
          <Fact wide label={say(['卡种', 'Plan'])}>
            {row.card_name}
          </Fact>
          <Fact label={say(['批次', 'Batch'])}>{row.batch_no}</Fact>
          <Fact label={say(['渠道', 'Channel'])}>{row.channel}</Fact>
          <Fact label={say(['有效期至', 'Valid until'])}>
            <When at={row.expire_at} />
          </Fact>
          <Fact label={say(['激活时间', 'Activated'])}>
            <When at={row.activated_at} />
          </Fact>
          {row.reason && (
            <Fact wide label={say(['原因', 'Reason'])}>
              {row.reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['激活条件', 'Activation rules'])}>
        <Facts>
          <Fact label={say(['绑定会员', 'Bound to'])}>{row.holder || say(['不限', 'Anyone'])}</Fact>
          {row.phone && <Fact label={say(['手机号', 'Phone'])}>{row.phone}</Fact>}
          <Fact label={say(['连续输错', 'Wrong attempts'])}>
            {say(['{n} / {most} 次', '{n} of {most}'], { n: row.wrong_times, most: WRONG_MOST })}
          </Fact>
          {isLocked(row) && (
            <Fact label={say(['锁定至', 'Locked until'])}>
              <When at={row.locked_until} />
            </Fact>
          )}
        </Facts>
      </Section>
    </Inspector>
  )
}
/** Numbers one by one: what a customer reads out is looked up, and why it does not open. */
export const Numbers = () => {
  const say = useSay()
  const list = useList(calls.lst)
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['会员卡号', 'Numbers'])}
        columns={columns}
        actions={Object.values(actions)}
        filters={
          <>
            <Keyword of={list} placeholder={say(['完整卡号', 'Full number'])} />
            <Choice of={list} by="status" label={say(['状态', 'State'])} words={vipCodeStates} />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一个卡号', 'Choose a number'])}>
        {row => <NumberDetail key={row.id} row={row} />}
      </Chosen>
    </ListDetail>
  )
}
