import { useState } from 'react'
import { batchActions as actions } from '#commands/redeemCode/batches.ts'
import { partnerActions } from '#commands/redeemCode/partner.ts'
import { rewardsOf } from '#src/areas/redeemCode/film.ts'
import { batchStates, codeKinds, rewardKinds, runKinds } from '#src/areas/redeemCode/redeemCode.ts'
import { percent } from '#src/domain/money.ts'
import { aside, comma } from '#src/domain/text.ts'
import {
  idColumn,
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  Tagged,
  textColumn,
  timeColumn,
  wordColumn,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { KeyShown, type NewKey } from '#src/kit/key-shown.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { SecretFile, type SecretZip } from '#src/kit/secret-file.tsx'
import { Badge, Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useResult, useWorkbench } from '#src/kit/workbench.ts'
import { codeBatches as calls, type BatchRow } from '../contract/index.ts'
import { BatchFacts } from '../parts/BatchFacts.tsx'
import { stateLooks } from '../parts/beside.tsx'
import { ImportCodes } from '../parts/ImportCodes.tsx'

const rateOf = (row: BatchRow): string =>
  row.generated === 0 ? '—' : percent(Math.round((row.redeemed / row.generated) * 1000) * 10)
const Rewards = ({ row }: { row: BatchRow }) => {
  const say = useSay()
  return rewardsOf(row, say).join(say(comma))
}
const columns: readonly Column<BatchRow>[] = [
  {
    ...textColumn('name', ['批次', 'Batch'], 180),
    grow: true,
    cell: row => <Tagged name={row.name}>{row.amending && <Amending />}</Tagged>,
  },
  textColumn('partner', ['合作方', 'Partner'], 120),
  { key: 'rewards', title: ['奖励', 'Rewards'], width: 170, cell: row => <Rewards row={row} /> },
  wordColumn('code_kind', ['码类型', 'Kind'], 84, codeKinds),
  stateColumn('status', ['状态', 'State'], 84, stateLooks),
  numberColumn('generated', ['已生成', 'Made'], 80),
  numberColumn('exported', ['已导出', 'Exported'], 80),
  numberColumn('redeemed', ['已兑换', 'Redeemed'], 80),
  {
    key: 'rate',
    title: ['兑换率', 'Redemption rate'],
    width: 72,
    align: 'end',
    priority: 3,
    cell: rateOf,
    words: rateOf,
  },
  { ...numberColumn('voided', ['作废', 'Void'], 64), priority: 4 },
  { ...timeColumn('end_at', ['结束', 'Until'], 104), priority: 1 },
  { ...numberColumn('quantity', ['批准数量', 'Approved'], 88), optional: true },
  { ...timeColumn('start_at', ['开始', 'From'], 104), optional: true },
  { ...textColumn('prefix', ['前缀', 'Prefix'], 72), optional: true },
  idColumn,
]
const Amending = () => <Badge tone="info">{useSay()(['变更待审', 'Change in audit'])}</Badge>

const Runs = ({ row }: { row: BatchRow }) => {
  const say = useSay()
  const runs = useRead(calls.runs, { id: row.id })
  return (
    <Section title={say(['生成、导入与作废', 'Made, imported and voided'])}>
      <Answer of={runs} none={say(['还没有生成兑换码', 'No codes made yet'])}>
        {({ list }) => (
          <SmallTable
            head={[
              ['次序', 'Run'],
              ['类型', 'What'],
              ['进度', 'Progress'],
              ['操作人', 'By'],
              ['时间', 'When'],
            ]}
            rows={list}
            keyOf={run => run.id}
            cells={run => [
              run.run_no,
              say(runKinds[run.kind]),
              `${run.done.toLocaleString()} / ${run.qty.toLocaleString()}`,
              run.by,
              <When key="at" at={run.created_at} />,
            ]}
          />
        )}
      </Answer>
    </Section>
  )
}
const BatchDetail = ({ row }: { row: BatchRow }) => {
  const say = useSay()
  const count = (n: number) => n.toLocaleString()
  return (
    <Inspector title={row.name} aside={<State of={row.status} in={stateLooks} />}>
      <Section title={say(['数量', 'Numbers'])}>
        <Facts>
          <Fact label={say(['批准', 'Approved'])}>{count(row.quantity)}</Fact>
          <Fact label={say(['已生成', 'Made'])}>{count(row.generated)}</Fact>
          <Fact label={say(['已导出', 'Exported'])}>{count(row.exported)}</Fact>
          <Fact label={say(['已兑换', 'Redeemed'])}>
            {count(row.redeemed)}
            {say(aside, { it: rateOf(row) })}
          </Fact>
          <Fact label={say(['已作废', 'Void'])}>{count(row.voided)}</Fact>
          <Fact label={say(['待生成', 'Not made yet'])}>{count(row.quantity - row.generated)}</Fact>
        </Facts>
      </Section>
      <BatchFacts row={row} />
      <Runs row={row} />
    </Inspector>
  )
}

/** Tells what became of codes: at once, or in a job. */
const useTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const told =
    (zh: string, en: string) =>
    ({ done, job_id }: { done: number; job_id: number | null }) => {
      toast(
        job_id === null
          ? say([`${zh} {n} 个`, `{n} ${en}`], { n: done.toLocaleString() })
          : say([
              '已开始，进度与取消在右上角“我的任务与导出”',
              'Started: see progress in My jobs and exports, top right',
            ]),
        'success',
      )
      return true
    }
  useResult(actions.generate, told('已生成', 'made'))
  useResult(actions.voidCodes, told('已作废', 'voided'))
  return told('已导入', 'imported')
}

/** Batches of codes that partners hand out, from their audit to their end. */
export default function Batches() {
  const say = useSay()
  const list = useList(calls.lst)
  const [zip, setZip] = useState<SecretZip | undefined>(undefined)
  const [key, setKey] = useState<NewKey | undefined>(undefined)
  const [importing, setImporting] = useState<BatchRow | undefined>(undefined)
  const imported = useTold()
  useExport(actions.export, calls.export, { list })
  useResult(actions.download, done => {
    setZip(done)
    return true
  })
  useResult(partnerActions.key, made => {
    setKey(made)
    return true
  })
  useAction(actions.importCodes, ([row]: readonly BatchRow[]) => setImporting(row))
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['兑换码批次', 'Code batches'])}
          columns={columns}
          actions={[...Object.values(actions), ...Object.values(partnerActions)]}
          filters={
            <>
              <Keyword
                of={list}
                placeholder={say(['批次、前缀、合作方或编号', 'Name, prefix, partner or ID'])}
              />
              <Choice of={list} by="status" label={say(['状态', 'State'])} words={batchStates} />
              <Choice of={list} by="reward" label={say(['奖励', 'Rewards'])} words={rewardKinds} />
              <PartnerFilter of={list} />
              <Toggle of={list} by="ending" label={say(['7 天内到期', 'Ends within 7 days'])} />
              <Toggle of={list} by="stock" label={say(['还可生成', 'Can still make'])} />
            </>
          }
        />
        <Chosen of={list} none={say(['选择一个批次', 'Choose a batch'])}>
          {row => <BatchDetail key={row.id} row={row} />}
        </Chosen>
      </ListDetail>
      {key && <KeyShown of={key} close={() => setKey(undefined)} />}
      {zip && <SecretFile of={zip} close={() => setZip(undefined)} />}
      {importing && (
        <ImportCodes row={importing} done={imported} close={() => setImporting(undefined)} />
      )}
    </>
  )
}
const PartnerFilter = ({ of }: { of: Parameters<typeof Choice>[0]['of'] }) => {
  const say = useSay()
  const partners = useRead(calls.partners, {})
  return (
    <Choice
      of={of}
      by="partner"
      label={say(['合作方', 'Partner'])}
      words={Object.fromEntries(
        (partners.data?.list ?? []).map(name => [name, [name, name] as const]),
      )}
    />
  )
}
