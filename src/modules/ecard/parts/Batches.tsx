import { useMemo, useState } from 'react'
import { codeBatchActions as actions } from '#commands/ecard/codes.ts'
import { batchKinds, lineFaults, secretStates, type SecretState } from '#src/areas/ecard/code.ts'
import { codeStates, type CodeState } from '#src/areas/ecard/ecard.ts'
import { yuan } from '#src/domain/money.ts'
import { colon } from '#src/domain/text.ts'
import {
  numberColumn,
  SmallTable,
  State,
  stateColumn,
  textColumn,
  timeColumn,
  wordColumn,
  type States,
} from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { SecretFile, type SecretZip } from '#src/kit/secret-file.tsx'
import { Fact, Facts, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import { codeBatches as calls, type BatchRow } from '../contract/code.ts'

const looks: States<SecretState> = {
  none: { text: secretStates.none },
  asked: { text: secretStates.asked, tone: 'warn' },
  agreed: { text: secretStates.agreed, tone: 'good' },
}
const columns: readonly Column<BatchRow>[] = [
  { ...textColumn('batch_no', ['批次', 'Batch'], 96), grow: true },
  wordColumn('kind', ['方式', 'Method'], 72, batchKinds),
  {
    key: 'face_cents',
    title: ['面值', 'Face'],
    width: 92,
    align: 'end',
    cell: row => yuan(row.face_cents),
    words: row => yuan(row.face_cents),
  },
  numberColumn('done', ['已入库', 'In stock'], 88),
  numberColumn('bad_n', ['未导入', 'Not imported'], 80),
  stateColumn('secrets', ['明文导出', 'Secrets export'], 110, looks),
  { ...textColumn('by', ['操作人', 'By'], 88), priority: 2 },
  { ...timeColumn('created_at', ['时间', 'When'], 120), priority: 1 },
]
const Counts = ({ row }: { row: BatchRow }) => {
  const say = useSay()
  const read = useRead(calls.stat, { id: row.id })
  return (
    <Section title={say(['现有卡密', 'Current codes'])}>
      <Answer of={read}>
        {({ stat }) => (
          <Facts>
            {(Object.keys(codeStates) as CodeState[])
              .filter(state => stat[state])
              .map(state => (
                <Fact key={state} label={say(codeStates[state])}>
                  {stat[state]!.toLocaleString()}
                </Fact>
              ))}
          </Facts>
        )}
      </Answer>
    </Section>
  )
}
const Errors = ({ row }: { row: BatchRow }) => {
  const say = useSay()
  if (row.bad_n === 0) return null
  return (
    <Section title={say(['未导入的行', 'Lines not imported'])}>
      <SmallTable
        head={[
          ['行号', 'Line'],
          ['原因', 'Why'],
        ]}
        rows={row.errors}
        keyOf={one => one.line}
        cells={one => [one.line, say(lineFaults[one.fault])]}
      />
      {row.bad_n > row.errors.length && (
        <p className="m-muted">
          {say(['另有 {n} 行', '{n} more'], { n: row.bad_n - row.errors.length })}
        </p>
      )}
    </Section>
  )
}
const BatchDetail = ({ row }: { row: BatchRow }) => {
  const say = useSay()
  return (
    <Inspector title={row.batch_no} aside={<State of={row.secrets} in={looks} />}>
      <Section title={say(['批次', 'The batch'])}>
        <Facts>
          <Fact label={say(['方式', 'Method'])}>{say(batchKinds[row.kind])}</Fact>
          <Fact label={say(['计划', 'Planned'])}>{row.qty}</Fact>
          <Fact label={say(['已入库', 'In stock'])}>{row.done}</Fact>
          <Fact label={say(['操作人', 'By'])}>{row.by}</Fact>
          <Fact label={say(['时间', 'When'])}>
            <When at={row.created_at} />
          </Fact>
          <Fact wide label={say(['原因', 'Why'])}>
            {row.reason}
          </Fact>
          {row.asked_by !== null && (
            <Fact wide label={say(['导出申请', 'Export request'])}>
              {row.asker}
              {say(colon)}
              {row.asked_reason}
            </Fact>
          )}
        </Facts>
      </Section>
      <Counts row={row} />
      <Errors row={row} />
    </Inspector>
  )
}

/**
 * The batches that were made and imported of a card's codes, with the lines of files that were left
 * out.
 */
export const Batches = ({ card_id }: { card_id: number }) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [zip, setZip] = useState<SecretZip | undefined>(undefined)
  const list = useList(
    calls.lst,
    useMemo(() => ({ card_id }), [card_id]),
  )
  useResult(actions.fetchSecrets, done => {
    setZip(done)
    return true
  })
  useResult(actions.batchVoid, ({ done, skipped, job_id }) => {
    toast(
      job_id === null
        ? say(['已作废 {n} 张，跳过已售 {skipped} 张', '{n} voided, {skipped} skipped'], {
            n: done.toLocaleString(),
            skipped: skipped.toLocaleString(),
          })
        : say([
            '已开始，进度在右上角“我的任务与导出”',
            'Started: see My jobs and exports, top right',
          ]),
      'success',
    )
    return true
  })
  return (
    <>
      <ListDetail>
        <List
          of={list}
          label={say(['卡密批次', 'Batches of codes'])}
          columns={columns}
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
