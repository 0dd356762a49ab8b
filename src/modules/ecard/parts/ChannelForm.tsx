import { useMemo, type ReactNode } from 'react'
import { useDispatch } from 'react-redux'
import { to, type Action } from '#commands/command.ts'
import {
  channelAddActions as addActions,
  channelEditActions as editActions,
} from '#commands/ecard/channelForm.ts'
import { channelEdit as editPage, channels } from '#commands/pages/ecard.ts'
import { creditCodeOf } from '#src/areas/merchant/identity.ts'
import { bpOf } from '#src/domain/money.ts'
import { semicolon } from '#src/domain/text.ts'
import { dispatchRead, skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { Changes } from '#src/kit/form-changes.tsx'
import { FormNotes, useUnsaved, type FormState } from '#src/kit/form.tsx'
import { FormFields, FormPage, PageForm, useDraftForm, useRecordForm } from '#src/kit/formpage.tsx'
import { useRested } from '#src/kit/rested.ts'
import { Badge, Section } from '#src/kit/show.tsx'
import { Answer, Loading } from '#src/kit/states.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import { useAction, useAnswered, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import {
  channelAdd,
  channelEdit,
  ecardChannels as calls,
  type ChannelRow,
} from '../contract/channel.ts'
import { CardLines, Exposure, OldTerms } from './CardLines.tsx'
import {
  draftAsks,
  draftBody,
  editAsks,
  givenLines,
  namesHere,
  termsBody,
  type ChannelAnswers,
} from './channelAsks.ts'

const FACES_KNOWN = 200
const COMPANY = 'ch-company'
const CHANGES = 'ch-changes'
const goTo = (id: string) => {
  const part = document.getElementById(id)
  part?.scrollIntoView({ block: 'nearest' })
  part?.focus()
}
/** Whether a company's number is sound, and whether an open channel has it already. */
const Company = ({ form }: { form: FormState }) => {
  const say = useSay()
  const of = form.answers as unknown as Partial<ChannelAnswers>
  const [code] = useRested(creditCodeOf(of.tax_no ?? ''))
  const [row] = form.rows as readonly ChannelRow[]
  const isWhole = code.length === 18
  const input = { tax_no: code, ...(row && { channel_id: row.id }) }
  const read = useRead(channelAdd.verifyCompany, isWhole ? input : skipToken)
  return (
    <Section title={say(['企业校验', 'Company check'])}>
      <div id={COMPANY} tabIndex={-1} role="status">
        {!isWhole && (
          <p className="m-muted">
            {say(['填写 18 位信用代码后校验', 'Checked once all 18 characters are entered'])}
          </p>
        )}
        {isWhole && (
          <Answer of={read}>
            {({ fault, taken_by }) => (
              <>
                <p>
                  <Badge tone={fault ? 'bad' : 'good'}>
                    {fault || say(['校验位正确', 'Check digit is valid'])}
                  </Badge>
                </p>
                <p>
                  <Badge tone={taken_by ? 'bad' : 'good'}>
                    {taken_by
                      ? say(['渠道「{name}」已使用', 'Already used by {name}'], { name: taken_by })
                      : say(['没有其他合作中的渠道使用', 'Not used by another open channel'])}
                  </Badge>
                </p>
                <p className="m-muted">
                  {say([
                    '只核对代码本身与本系统内的重复，未查询工商登记，请对照营业执照。',
                    'Checks the code and duplicates here only, not the company register: compare with the licence.',
                  ])}
                </p>
              </>
            )}
          </Answer>
        )}
      </div>
    </Section>
  )
}
type FieldsProps = {
  form: FormState
  rows: readonly ChannelRow[]
  actions: readonly Action[]
  label: string
  drafted: boolean
  adds: Action
  notes?: ReactNode
  aside?: ReactNode
}
const Fields = ({ form, rows, actions, label, drafted, adds, notes, aside }: FieldsProps) => {
  const say = useSay()
  useSubject(useMemo(() => ({ rows }), [rows]))
  useUnsaved(form)
  if (!form.answers) return <Loading lines={16} />
  const isOwn = (form.answers['type'] ?? rows[0]?.type) === 'own'
  return (
    <FormPage
      actions={actions}
      rows={rows}
      notes={
        <>
          {notes}
          <FormNotes of={form} />
        </>
      }
      aside={
        <>
          <Exposure form={form} />
          {!isOwn && <Company form={form} />}
          {aside}
        </>
      }
    >
      <PageForm of={form} label={label}>
        <fieldset>
          <legend>{say(['渠道与企业', 'Channel and company'])}</legend>
          <FormFields
            of={form}
            names={[
              'name',
              ...(drafted ? ['type'] : []),
              'company',
              'tax_no',
              'contact',
              'phone',
              'email',
            ]}
          />
          <FormFields of={form} names={['mails']} wide />
        </fieldset>
        {drafted && (
          <fieldset>
            <legend>{say(['合同', 'Contract'])}</legend>
            <FormFields of={form} names={['start_at', 'end_at']} />
            <FormFields of={form} names={['contract', 'ips']} wide />
          </fieldset>
        )}
        <fieldset>
          <legend>{say(['可售卡', 'Cards'])}</legend>
          <CardLines form={form} drafted={drafted} adds={adds} />
        </fieldset>
        <fieldset>
          <legend>{say(['结算', 'Settlement'])}</legend>
          <FormFields of={form} names={['settle_type', 'credit']} />
          {!drafted && <FormFields of={form} names={['why']} wide />}
        </fieldset>
      </PageForm>
    </FormPage>
  )
}
type Send = Parameters<typeof useDraftForm<ChannelRow>>[0]['send']
const useDraft = (of: {
  now?: ChannelRow
  draft: string
  send: (
    body: ReturnType<typeof draftBody>,
    ...more: [Parameters<Send>[1], boolean]
  ) => ReturnType<Send>
}) => {
  const { open } = useWorkbench()
  const dispatch = useDispatch()
  return useDraftForm<ChannelRow>({
    now: of.now,
    asks: draftAsks,
    given: givenLines,
    words: cardWords,
    draft: of.draft,
    as: namesHere,
    sent: ['渠道已开通', 'The channel is open'],
    read: id => dispatchRead(dispatch as never, calls.detail, { id }, true),
    send: (raw, held, isSent) => of.send(draftBody(raw as unknown as ChannelAnswers), held, isSent),
    done: (id, { isNew, isSent }) => {
      if (isSent) open(to(channels), 'here')
      else if (isNew) open(to(editPage, { id }), 'here')
    },
  })
}
const cardWords = {
  cards: {
    label: ['可售卡', 'Cards'],
    told: (lines: ChannelAnswers['cards'], say: Say) =>
      lines
        .map(one => `${one.name} ${one.discount_bp / 100}% × ${one.quota_n}`)
        .join(say(semicolon)),
  },
} as const
type Added = { attr_id: number; discount: number; quota_n: number }
/** Adds a line to a form; the faces on sale say what it is called. */
const useAddLine = (action: Action, form: FormState) => {
  const faces = useRead(calls.faces, { page: 1, pageSize: FACES_KNOWN })
  useAnswered(action, answers => {
    const { attr_id, discount, quota_n } = answers as Added
    const face = faces.data?.list.find(one => one.id === attr_id)
    const before = (form.answers as unknown as ChannelAnswers).cards
    const line = {
      attr_id,
      discount_bp: bpOf(discount),
      quota_n,
      name: face?.name ?? `#${attr_id}`,
      price_cents: face?.price_cents ?? 0,
      issued_n: 0,
    }
    form.change('cards', [...before, line])
  })
}
type Beside = { uploadContract: Action; verifyCompany: Action; addCard: Action }
const useBeside = (of: Beside, form: FormState) => {
  useAction(of.uploadContract, () => goTo(form.idOf('contract')))
  useAction(of.verifyCompany, () => goTo(COMPANY))
  useAddLine(of.addCard, form)
}

/** A channel that is not there yet. */
export const NewChannel = () => {
  const say = useSay()
  const [save] = useWrite(channelAdd.save)
  const [submit] = useWrite(channelAdd.submit)
  const { form, rows, sending } = useDraft({
    draft: 'ecard-channel:new',
    send: (body, _, isSent) => (isSent ? submit : save)(body, { quiet: true }),
  })
  useAction(addActions.save, sending(false))
  useAction(addActions.submit, sending(true))
  useBeside(addActions, form)
  return (
    <Fields
      form={form}
      rows={rows}
      drafted
      adds={addActions.addCard}
      actions={Object.values(addActions)}
      label={say(['新增电子卡渠道', 'New e-card channel'])}
    />
  )
}
/** A draft as it stands. */
export const DraftChannel = ({ now }: { now: ChannelRow }) => {
  const say = useSay()
  const [save] = useWrite(channelEdit.saveDraft)
  const [submit] = useWrite(channelEdit.submit)
  const { form, rows, sending } = useDraft({
    now,
    draft: `ecard-channel:${now.id}`,
    send: (body, held, isSent) => (isSent ? submit : save)({ ...held!, ...body }, { quiet: true }),
  })
  useAction(editActions.saveDraft, sending(false))
  useAction(editActions.submit, sending(true))
  useAction(editActions.diff, () => goTo(CHANGES))
  useAction(editActions.uploadContract, () => goTo(form.idOf('contract')))
  useAction(editActions.verifyCompany, () => goTo(COMPANY))
  useAddLine(editActions.addLine, form)
  return (
    <Fields
      form={form}
      rows={rows}
      drafted
      adds={editActions.addLine}
      actions={Object.values(editActions)}
      label={say(['编辑电子卡渠道', 'Edit e-card channel'])}
      aside={form.dirty && <Changes form={form} id={CHANGES} />}
    />
  )
}
/** An open channel: what was issued keeps its terms, what changes holds from now on. */
export const OpenChannel = ({ now }: { now: ChannelRow }) => {
  const say = useSay()
  const dispatch = useDispatch()
  const [save] = useWrite(channelEdit.save)
  const form = useRecordForm({
    page: editPage,
    now,
    asks: editAsks,
    given: givenLines,
    words: cardWords,
    draft: `ecard-channel:${now.id}`,
    as: namesHere,
    read: id => dispatchRead(dispatch as never, calls.detail, { id }, true),
    send: (raw, held) => {
      const of = raw as unknown as ChannelAnswers
      return save({ ...held, ...termsBody(of), reason: of.why ?? '' }, { quiet: true })
    },
    done: ['已保存，新条款对之后的发卡生效', 'Saved; new terms apply from now on'],
  })
  const rows = useMemo(() => [now], [now])
  useAction(editActions.save, () => form.go())
  useAction(editActions.diff, () => goTo(CHANGES))
  useAction(editActions.verifyCompany, () => goTo(COMPANY))
  return (
    <Fields
      form={form}
      rows={rows}
      drafted={false}
      adds={editActions.addCard}
      actions={Object.values(editActions)}
      label={say(['编辑电子卡渠道', 'Edit e-card channel'])}
      notes={
        <Badge>{say(['已发 {n} 张', '{n} issued'], { n: now.issued_n.toLocaleString() })}</Badge>
      }
      aside={
        <>
          <OldTerms form={form} was={givenLines(rows).cards} />
          <Changes form={form} id={CHANGES} />
        </>
      }
    />
  )
}
