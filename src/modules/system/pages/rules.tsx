import { Time as Clock } from '@blueprintjs/icons'
import { useMemo } from 'react'
import { rulesActions } from '#commands/system/content.ts'
import {
  agreementStates,
  agreementTypes,
  type AgreementState,
} from '#src/areas/merchant/agreement.ts'
import type { Result } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import { idColumn } from '#src/kit/cells.tsx'
import { useRead, type ReadState } from '#src/kit/data.ts'
import { showDetail, useDetailAction } from '#src/kit/detail.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { Chosen, Inspector } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Phone } from '#src/kit/phone.tsx'
import { Badge, Fact, Facts, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import {
  useAnswered,
  usePane,
  useResult,
  useStageSubject,
  useWorkbench,
} from '#src/kit/workbench.ts'
import { rules as calls, type RuleRow } from '../contract/rules.ts'
import '../parts/content.css'
import '../parts/texts.css'

const tones: Record<AgreementState, ToneName> = {
  draft: 'plain',
  scheduled: 'info',
  effective: 'good',
  superseded: 'plain',
  withdrawn: 'warn',
}
const State = ({ row }: { row: RuleRow }) => {
  const say = useSay()
  return (
    <Badge tone={tones[row.state]} {...(row.state === 'scheduled' && { icon: Clock })}>
      {say(agreementStates[row.state])}
    </Badge>
  )
}

const TextInPhone = ({ id }: { id: number }) => {
  const say = useSay()
  const { data, error, refetch } = useRead(calls.preview, { id })
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={8} />
  return (
    <Phone
      long
      label={say(['{title}的手机预览', '{title} on a phone'], { title: data.title })}
      title={data.title}
    >
      {/* The server's sanitiser wrote this. */}
      <div className="x-text" dangerouslySetInnerHTML={{ __html: data.html }} />
      {data.force_consent && (
        <div className="x-sheet">
          <b>{say(['{title}已更新', '{title}: updated'], { title: data.title })}</b>
          <p>{data.summary}</p>
          <span aria-hidden="true">{say(['同意并继续', 'Agree and continue'])}</span>
        </div>
      )}
    </Phone>
  )
}
/** The text in a phone, with what asks members to consent anew. */
const OnPhone = ({ id }: { id: number }) => {
  const say = useSay()
  return (
    <Section title={say(['手机预览', 'On a phone'])}>
      <TextInPhone id={id} />
    </Section>
  )
}
type Difference = Result<typeof calls.diff>
const marks = { same: '', del: '−', add: '+' } as const
const LineText = ({ line: { op, text } }: { line: Difference['lines'][number] }) => {
  if (op === 'add') return <ins>{text}</ins>
  return op === 'del' ? <del>{text}</del> : text
}
const ComparedLines = ({ of: { data, error, refetch } }: { of: ReadState<Difference> }) => {
  const say = useSay()
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading lines={8} />
  if (data.added + data.removed === 0)
    return <p className="m-muted">{say(['文字相同', 'The text is the same'])}</p>
  return (
    <ol className="x-diff">
      {data.lines.map((line, at) => (
        <li key={at} data-op={line.op}>
          <span aria-hidden="true">{marks[line.op]}</span>
          <LineText line={line} />
        </li>
      ))}
    </ol>
  )
}
/** Line by line, what the chosen version has that the other has not. */
const Compared = ({ id, other }: { id: number; other: number }) => {
  const say = useSay()
  const read = useRead(calls.diff, { id, other_id: other })
  const { data } = read
  return (
    <Section
      title={
        data
          ? say(['对比 {from} → {to}', '{from} → {to}'], { from: data.from, to: data.to })
          : say(['对比版本', 'Comparison'])
      }
      aside={
        data && (
          <span className="m-muted">
            {' '}
            {say(['增 {add} 行，删 {del} 行', '{add} lines added, {del} removed'], {
              add: data.added,
              del: data.removed,
            })}
          </span>
        )
      }
    >
      <ComparedLines of={read} />
    </Section>
  )
}

type Shown = { id: number; other?: number }
const Version = ({ row, shown }: { row: RuleRow; shown: Shown | undefined }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const other = shown?.id === row.id ? shown.other : undefined
  const preview = me.can(calls.preview.permit) ? (
    <OnPhone id={row.id} />
  ) : (
    <p className="m-muted">{say(['没有预览正文的权限', 'You may not preview the text'])}</p>
  )
  return (
    <Inspector
      title={`${say(agreementTypes[row.type])} ${row.version_no}`}
      aside={<State row={row} />}
    >
      <Section title={say(['版本', 'Version'])}>
        <Facts>
          <Fact
            label={
              row.state === 'draft'
                ? say(['计划生效', 'Planned for'])
                : say(['生效时间', 'In force from'])
            }
          >
            <When at={row.effective_at} />
          </Fact>
          <Fact label={say(['重新同意', 'Re-consent'])}>
            {row.force_consent ? (
              <Badge tone="warn">{say(['要求', 'Required'])}</Badge>
            ) : (
              say(['不要求', 'Not required'])
            )}
          </Fact>
          <Fact label={say(['同意人数', 'Consents'])}>
            <span className="m-num">{row.consents.toLocaleString()}</span>
          </Fact>
          <Fact label={say(['同意率', 'Rate'])}>
            {row.consent_bp === null ? (
              '—'
            ) : (
              <span className="m-num">{percent(row.consent_bp)}</span>
            )}
          </Fact>
          <Fact label={say(['编辑人', 'Editor'])}>{row.editor || '—'}</Fact>
          <Fact label={say(['最近修改', 'Changed'])}>
            <When at={row.updated_at} />
          </Fact>
          {row.summary && (
            <Fact wide label={say(['变更摘要', 'Summary'])}>
              {row.summary}
            </Fact>
          )}
          {row.withdraw_reason && (
            <Fact wide label={say(['撤回原因', 'Why withdrawn'])}>
              {row.withdraw_reason}
            </Fact>
          )}
        </Facts>
      </Section>
      {other !== undefined && me.can(calls.diff.permit) ? (
        <Compared id={row.id} other={other} />
      ) : (
        preview
      )}
    </Inspector>
  )
}

const useColumns = (): Column<RuleRow>[] => {
  const say = useSay()
  return useMemo(
    (): Column<RuleRow>[] => [
      {
        key: 'type',
        title: ['类型', 'Type'],
        width: 112,
        grow: true,
        cell: row => say(agreementTypes[row.type]),
      },
      {
        key: 'version_no',
        title: ['版本', 'Version'],
        width: 60,
        align: 'end',
        cell: row => row.version_no,
      },
      { key: 'state', title: ['状态', 'State'], width: 96, cell: row => <State row={row} /> },
      {
        key: 'effective_at',
        title: ['生效时间', 'In force from'],
        width: 108,
        cell: row => <When at={row.effective_at} />,
      },
      {
        key: 'force_consent',
        title: ['重新同意', 'Re-consent'],
        width: 78,
        cell: row =>
          row.force_consent ? (
            <Badge tone="warn">{say(['要求', 'Required'])}</Badge>
          ) : (
            <span className="m-muted">—</span>
          ),
      },
      {
        key: 'consent_bp',
        title: ['同意率', 'Consent'],
        width: 76,
        align: 'end',
        cell: row =>
          row.consent_bp === null ? (
            <span className="m-muted">—</span>
          ) : (
            <span className="m-num">{percent(row.consent_bp)}</span>
          ),
      },
      {
        key: 'editor',
        title: ['编辑人', 'Editor'],
        width: 76,
        cell: row => row.editor,
        words: row => row.editor,
      },
      {
        key: 'summary',
        title: ['变更摘要', 'Summary'],
        width: 160,
        grow: true,
        optional: true,
        cell: row => row.summary,
        words: row => row.summary,
      },
      {
        key: 'consents',
        title: ['同意人数', 'Consents'],
        width: 84,
        align: 'end',
        optional: true,
        cell: row => row.consents,
      },
      idColumn,
    ],
    [say],
  )
}

/**
 * The versioned texts that consumers and merchants agree to: what binds now, what comes, and what
 * changed.
 */
export default function Rules() {
  const say = useSay()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const { stage } = usePane()
  const { rows } = useStageSubject(stage)
  const [shown, setShown] = usePaneState<Shown | undefined>('shown', undefined)
  useExport(rulesActions.export, calls.export, { list })
  useDetailAction(rulesActions.preview, on => {
    if (on[0]) {
      list.focus(on[0].id)
      setShown(undefined)
    }
  })
  useAnswered(rulesActions.diff, answers => {
    showDetail(stage)
    const id = (rows[0] as RuleRow | undefined)?.id
    if (id !== undefined) {
      list.focus(id)
      setShown({ id, other: answers.other as number })
    }
  })
  useResult(rulesActions.create, ({ id, version_no }) => {
    list.reveal(id)
    toast(say(['已建草稿 {no}', 'Draft {no} is there'], { no: version_no }), 'success')
  })
  const columns = useColumns()
  return (
    <ListDetail>
      <List
        of={list}
        label={say(['协议版本', 'Versions'])}
        columns={columns}
        actions={Object.values(rulesActions)}
        onOpen={row => list.focus(row.id)}
        filters={
          <>
            <Keyword of={list} placeholder={say(['版本或摘要', 'Version or summary'])} />
            <Choice
              of={list}
              by="type"
              label={say(['类型', 'Type'])}
              options={Object.entries(agreementTypes).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
            <Choice
              of={list}
              by="state"
              label={say(['状态', 'State'])}
              options={Object.entries(agreementStates).map(([value, text]) => ({
                value,
                label: say(text),
              }))}
            />
          </>
        }
      />
      <Chosen of={list} none={say(['选择一个版本', 'Choose a version'])}>
        {row => <Version key={row.id} row={row} shown={shown} />}
      </Chosen>
    </ListDetail>
  )
}
