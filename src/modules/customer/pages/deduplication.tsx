import { dupActions as actions } from '#commands/customer/deduplication.ts'
import { deduplicationPage } from '#commands/pages/customer.ts'
import { dupKinds, dupStates, type DupState } from '#src/areas/dedup/dup.ts'
import { comma } from '#src/domain/text.ts'
import { useBatchTold } from '#src/kit/batch-told.tsx'
import { State } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { Keyed } from '#src/kit/keyed.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { MallFilter } from '#src/kit/places.tsx'
import { Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer, Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { deduplication as calls, type DupRow as Row } from '../contract/deduplication.ts'
import { DupFigures } from '../parts/DupFigures.tsx'
import {
  ContactsBeside,
  dupColumns,
  dupLooks,
  Grounds,
  MembersBeside,
  RelationsBeside,
} from '../parts/dupLooks.tsx'
import '../parts/customer.css'

const Decision = ({ row }: { row: Row }) => {
  const say = useSay()
  if (row.status === 'pending' && row.reason === '') return null
  return (
    <Section title={say(['处理记录', 'Decision history'])}>
      <Facts>
        {row.asked_by !== null && (
          <Fact label={say(['申请人', 'Requested by'])}>{row.asker_name}</Fact>
        )}
        {row.decided_at !== null && (
          <Fact label={say(['处理人', 'Decided by'])}>
            {row.decider_name || say(['系统', 'System'])} <When at={row.decided_at} />
          </Fact>
        )}
        {row.primary_name && (
          <Fact label={say(['主跟进人', 'Main adviser'])}>{row.primary_name}</Fact>
        )}
        {row.merged_at !== null && (
          <Fact label={say(['合并时间', 'Merged'])}>
            <When at={row.merged_at} />
          </Fact>
        )}
        {row.reason && (
          <Fact wide label={say(['原因', 'Reason'])}>
            {row.reason}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const Beside = ({ row }: { row: Row }) => {
  const read = useRead(calls.side, { id: row.id })
  return (
    <Answer of={read}>
      {({ members, hidden_n, customers, follows }) => (
        <>
          <MembersBeside rows={members} hidden_n={hidden_n} row={row} />
          <RelationsBeside rows={follows} />
          <ContactsBeside rows={customers} />
        </>
      )}
    </Answer>
  )
}
/** What the answers of actions are told as. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const told = useBatchTold()
  useResult(actions.batchPrimary, of =>
    told.hear(of, [
      ['已指定 {n} 位客户的主跟进人', '{n} have their main adviser'],
      ['已指定 {n} 位，{m} 位未处理', '{n} have one, {m} were left'],
    ]),
  )
  useResult(actions.mergeMember, ({ status }) => {
    if (status !== 'second') return false
    toast(
      say([
        '双方有余额、提现或处罚，已提交另一人复核',
        'A balance, withdrawal or sanction is involved: sent for someone else to approve',
      ]),
      'warning',
    )
    return true
  })
  useResult(actions.rescan, ({ found, raised, gone }) => {
    toast(
      say(
        [
          '检测完成：新增 {found}，再次出现 {raised}，不再重复 {gone}',
          'Scan done: {found} new, {raised} back, {gone} no longer duplicates',
        ],
        {
          found,
          raised,
          gone,
        },
      ),
      'success',
    )
    return true
  })
  return told.shown
}
const NoneLeft = ({ of }: { of: ListState<Row> }) => {
  const say = useSay()
  const isOpen = (of.input as { status?: string }).status === 'pending'
  return (
    <Empty
      title={
        isOpen
          ? say(['没有待处理的重复客户', 'No duplicates to review'])
          : say(['没有记录', 'None'])
      }
    >
      <p>
        <Keyed
          text={['按 {scan} 重新检测。', '{scan} scans again.']}
          by={{ scan: actions.rescan }}
        />
      </p>
    </Empty>
  )
}

/** Duplicates: how many adds are the same people, decided one after the other. */
export default function Deduplication() {
  const say = useSay()
  const list = useList(calls.lst)
  const { status: _, page: __, pageSize: ___, ...filters } = list.input
  const { data } = useRead(calls.lst, { ...filters, page: 1, pageSize: 1 })
  useExport(actions.export, calls.export, { list })
  const told = useTold()
  return (
    <div className="cu-page">
      <DupFigures choose={by => list.filter(by)} />
      <ListDetail>
        <List
          of={list}
          label={say([deduplicationPage.title, deduplicationPage.en])}
          columns={dupColumns}
          actions={Object.values(actions)}
          tabs={{
            by: 'status',
            all: (Object.keys(dupStates) as DupState[]).map(key => ({
              key,
              title: dupStates[key],
              ...(data && { count: data.stat[key] ?? 0 }),
            })),
          }}
          filters={
            <>
              <Keyword of={list} placeholder={say(['昵称开头、会员号或编号', 'Name or number'])} />
              <Choice of={list} by="kind" label={say(['类型', 'Kind'])} words={dupKinds} />
              <MallFilter of={list} />
            </>
          }
          empty={<NoneLeft of={list} />}
        />
        <Chosen of={list} none={say(['选择一组重复客户', 'Choose a duplicate'])}>
          {row => (
            <Inspector
              key={row.id}
              title={row.names.join(say(comma)) || row.no}
              aside={<State of={row.status} in={dupLooks} />}
            >
              <Grounds row={row} />
              <Beside row={row} />
              <Decision row={row} />
            </Inspector>
          )}
        </Chosen>
      </ListDetail>
      {told}
    </div>
  )
}
