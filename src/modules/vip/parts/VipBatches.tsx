import { useState } from 'react'
import { vipBatchActions as actions } from '#commands/vip/cardManage.ts'
import {
  batchStates,
  vipCodeStates,
  type BatchState,
  type VipCodeState,
} from '#src/areas/vipCard/code.ts'
import {
  numberColumn,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  type States,
} from '#src/kit/cells.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { SecretFile, type SecretZip } from '#src/kit/secret-file.tsx'
import { Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { useStateTabs } from '#src/kit/statetabs.ts'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { vipBatches as calls, type VipBatchRow } from '../contract/cardManage.ts'

const looks: States<BatchState> = {
  asked: { text: batchStates.asked, tone: 'warn' },
  making: { text: batchStates.making, tone: 'info' },
  ready: { text: batchStates.ready, tone: 'good' },
  rejected: { text: batchStates.rejected, tone: 'bad' },
}
const countColumn = (state: VipCodeState, priority?: 1 | 3): Column<VipBatchRow> => ({
  key: state,
  title: vipCodeStates[state],
  width: 76,
  align: 'end',
  ...(priority && { priority }),
  cell: row => (row.stat[state] ?? 0).toLocaleString(),
  words: row => String(row.stat[state] ?? 0),
})
const columns: readonly Column<VipBatchRow>[] = [
  textColumn('batch_no', ['批次', 'Batch'], 84),
  { ...textColumn('card_name', ['卡种', 'Plan'], 150), grow: true },
  stateColumn('status', ['状态', 'State'], 92, looks),
  { ...textColumn('channel', ['渠道', 'Channel'], 130), grow: true },
  numberColumn('qty', ['计划', 'Planned'], 72),
  { ...numberColumn('made_n', ['已制', 'Made'], 72), priority: 2 },
  countColumn('issued', 1),
  countColumn('activated'),
  countColumn('void', 3),
  timeColumn('expire_at', ['有效期至', 'Valid until'], 112),
  { ...textColumn('maker', ['申请人', 'Requested by'], 88), priority: 4 },
]
const BatchDetail = ({ row }: { row: VipBatchRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.batch_no} aside={<State of={row.status} in={looks} />}>
      <Section title={say(['批次', 'Batch'])}>
        <Facts>
          <Fact wide label={say(['卡种', 'Plan'])}>
            {row.card_name}
          </Fact>
          <Fact wide label={say(['渠道', 'Channel'])}>
            {row.channel}
          </Fact>
          <Fact label={say(['计划', 'Planned'])}>{row.qty}</Fact>
          <Fact label={say(['已制', 'Made'])}>{row.made_n}</Fact>
          <Fact label={say(['有效期至', 'Valid until'])}>
            <When at={row.expire_at} />
          </Fact>
          <Fact label={say(['申请人', 'Requested by'])}>{row.maker}</Fact>
          <Fact label={say(['申请时间', 'Requested'])}>
            <When at={row.created_at} />
          </Fact>
          {row.checker && (
            <>
              <Fact label={say(['复核人', 'Reviewed by'])}>{row.checker}</Fact>
              <Fact label={say(['复核时间', 'Reviewed'])}>
                <When at={row.decided_at} />
              </Fact>
            </>
          )}
          <Fact label={say(['导出卡密', 'Secret exports'])}>
            {say(['{n} 次', '{n} times'], { n: row.exports })}
          </Fact>
          <Fact wide label={say(['原因', 'Reason'])}>
            {row.reason}
          </Fact>
          {row.reject_reason && (
            <Fact wide label={say(['驳回原因', 'Reject reason'])}>
              {row.reject_reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['现有卡号', 'Its numbers now'])}>
        <Facts>
          {(Object.keys(vipCodeStates) as VipCodeState[]).map(state => (
            <Fact key={state} label={say(vipCodeStates[state])}>
              {(row.stat[state] ?? 0).toLocaleString()}
            </Fact>
          ))}
        </Facts>
      </Section>
    </Inspector>
  )
}
/** Batches of numbers: how many were made, handed out and activated, and who agreed. */
export const VipBatches = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const { tabs } = useStateTabs(list, calls.lst, batchStates)
  const [zip, setZip] = useState<SecretZip | undefined>(undefined)
  useResult(actions.exportSecrets, done => {
    setZip(done)
    return true
  })
  useResult(actions.makeBatch, ({ id, waits }) => {
    list.reveal(id)
    toast(
      waits
        ? say(['已提交，等待另一人复核', 'Submitted for someone else to review'])
        : say(['卡号已制成', 'Numbers made']),
      'success',
    )
    return true
  })
  useResult(actions.approveBatch, () => {
    toast(
      say([
        '已开始制卡，进度在右上角“我的任务与导出”',
        'Started: see My jobs and exports, top right',
      ]),
      'success',
    )
    return true
  })
  useResult(actions.issue, ({ issued: n }) => {
    toast(
      say(['已标记发放 {n} 张', '{n} marked as handed out'], { n: n.toLocaleString() }),
      'success',
    )
    return true
  })
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['制卡批次', 'Number batches'])}
          columns={columns}
          tabs={tabs}
          actions={Object.values(actions)}
        />
        <Chosen of={list} none={say(['选择一个批次', 'Choose a batch'])}>
          {row => <BatchDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {zip && <SecretFile of={zip} close={() => setZip(undefined)} />}
    </>
  )
}
