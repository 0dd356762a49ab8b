import { useMemo } from 'react'
import { useDispatch } from 'react-redux'
import { useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { merchantForm } from '#commands/pages/shop.ts'
import { merchantFormActions as actions } from '#commands/shop/merchant.ts'
import { askedItems } from '#src/areas/application/application.ts'
import { genders } from '#src/areas/member/member.ts'
import { creditCodeFault, nationalIdFault, nationalIdOf } from '#src/areas/merchant/identity.ts'
import {
  merchantStates,
  missingLicenses,
  missingProofs,
  proofs,
} from '#src/areas/merchant/merchant.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { genderOf } from '#src/domain/validate.ts'
import { dispatchRead, skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { FormNotes, useUnsaved } from '#src/kit/form.tsx'
import { FormFields, FormPage, PageForm, useDraftForm } from '#src/kit/formpage.tsx'
import { useCities } from '#src/kit/places.tsx'
import { Badge, Fact, Facts, Section } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { shopAdd as calls, type MerchantProfile } from '../../contract/add.ts'
import { asksFor, bodyOf, licencesOf, namesOf, neededBy, type Answers } from '../../parts/asks.ts'
import { BankCheckFacts, useBankCheckTold, VerifiedBadge } from '../../parts/bankCheck.tsx'
import { LicenceReader } from '../../parts/licence.tsx'
import '../../parts/shop.css'

type Category = MerchantProfile['categories'][number]

/** Tells the sex that the ID number says, to whoever may read the number. */
const LegalPerson = ({ no }: { no: string | undefined }) => {
  const say = useSay()
  // A masked number has a fault, and one that is still typed.
  if (!no || nationalIdFault(no) !== undefined) return null
  return (
    <Section title={say(['法人身份证', 'The legal person’s ID'])}>
      <Facts>
        <Fact label={say(['性别', 'Sex'])}>{say(genders[genderOf(nationalIdOf(no))])}</Fact>
      </Facts>
    </Section>
  )
}

/** What is missing of the application, and who else has its credit code. */
const Beside = ({
  of,
  was,
  all,
}: {
  of: Answers
  was?: MerchantProfile
  all: readonly Category[]
}) => {
  const say = useSay()
  const now = unixNow()
  const needed = neededBy(all, of.categories)
  const licenses = licencesOf(all, of)
  const missing = missingProofs(
    {
      ...bodyOf(all, of),
      has_legal_id: Boolean(of.legal_id_no ?? was?.legal_id_no),
      contact_name: of.contact_name ?? '',
      contact_phone: of.contact_phone ?? '',
      has_bank_no: Boolean(of.bank_no ?? was?.bank_no),
    },
    needed,
    now,
  )
  const others = useRead(
    calls.checkDuplicate,
    of.license_no && creditCodeFault(of.license_no) === undefined
      ? { license_no: of.license_no, ...(was && { but: was.id }) }
      : skipToken,
  ).data?.list
  return (
    <>
      <Section title={say(['资料清单', 'Checklist'])}>
        <div className="sp-missing">
          {missing.length === 0 && <Badge tone="good">{say(['资料齐全', 'Complete'])}</Badge>}
          {missing.map(key => (
            <Badge key={key} tone="warn">
              {say(proofs[key])}
            </Badge>
          ))}
          {was && !missing.includes('bank') && <VerifiedBadge of={was.bank} />}
        </div>
        {missing.includes('licenses') && (
          <p className="m-muted">{missingLicenses(needed, licenses, now).join(say(comma))}</p>
        )}
      </Section>
      {was && (
        <Section title={say(['账户验证', 'Account check'])}>
          <BankCheckFacts of={was.bank} />
        </Section>
      )}
      <LegalPerson no={of.legal_id_no} />
      <Section title={say(['重复检查', 'Duplicates'])}>
        <div role="status">
          {others === undefined || others.length === 0 ? (
            <span className="m-muted">
              {others === undefined
                ? say(['填写完整的信用代码后自动检查', 'Checked once the credit code is complete'])
                : say(['没有相同信用代码的商户', 'No merchant has this credit code'])}
            </span>
          ) : (
            others.map(one => (
              <p key={one.id}>
                <Badge tone={one.status === 'terminated' ? 'plain' : 'bad'}>
                  {say(merchantStates[one.status])}
                </Badge>{' '}
                {one.name}{' '}
                <span className="m-muted">
                  {one.city_name} · BD {one.bd_name || '—'}
                </span>
              </p>
            ))
          )}
        </div>
      </Section>
    </>
  )
}

/** What the audit has to do with the form: what it asks for, and what may be changed here. */
const Standing = ({ of: { status, application } }: { of: MerchantProfile }) => {
  const say = useSay()
  if (application?.state === 'need_more')
    return (
      <Badge tone="warn" title={application.reason}>
        {say(['要求补充：{items}。{why}', 'Requested {items}. {why}'], {
          items: application.asked.map(item => say(askedItems[item])).join(say(comma)),
          why: application.reason,
        })}
      </Badge>
    )
  const waits: Text = [
    '申请审核中，审核结束前不能再提交',
    'In audit: can’t submit again until decided',
  ]
  const live: Text = [
    '修改后提交审核，通过前线上资料不变',
    'Submit changes for audit; the live data stays until approved',
  ]
  if (!application && status !== 'active') return null
  return <span className="m-muted">{say(application ? waits : live)}</span>
}

type Known = {
  now: MerchantProfile | undefined
  all: readonly Category[]
  cities: readonly { id: number; city_name: string }[]
}
const Form = ({ now, all, cities }: Known) => {
  const say = useSay()
  const { open } = useWorkbench()
  const dispatch = useDispatch()
  const asks = useMemo(() => asksFor(all, cities), [all, cities])
  const [save] = useWrite(calls.saveDraft)
  const [send] = useWrite(calls.submit)
  const { form, rows, sending } = useDraftForm({
    now,
    asks,
    draft: `merchant-form:${now?.id ?? 0}`,
    as: {
      commission_bp: 'rate',
      deposit_cents: 'deposit',
      city_id: 'city',
      category_ids: 'categories',
    },
    read: id => dispatchRead(dispatch as never, calls.detail, { id }, true),
    send: (raw, held, isSent) =>
      (isSent ? send : save)(
        { ...held, ...bodyOf(all, raw as unknown as Answers) },
        { quiet: true },
      ),
    done: (id, { isNew }) => {
      if (isNew) open(to(merchantForm, { id }), 'here')
    },
  })
  const answers = form.answers as unknown as Answers | undefined
  useSubject(useMemo(() => ({ rows }), [rows]))
  useAction(actions.saveDraft, sending(false))
  useAction(actions.submit, sending(true))
  useAction(actions.checkDuplicate, () => document.getElementById(form.idOf('license_no'))?.focus())
  useUnsaved(form)
  useBankCheckTold()
  if (!answers) return <Loading lines={16} />
  const licences = namesOf(all).flatMap((_, at) => [`no_${at}`, `until_${at}`])
  return (
    <FormPage
      actions={Object.values(actions)}
      rows={rows}
      notes={
        <>
          {now && <Badge>{say(merchantStates[now.status])}</Badge>}
          {now && <Standing of={now} />}
          <FormNotes of={form} />
        </>
      }
      aside={
        <>
          <LicenceReader form={form} />
          <Beside of={answers} all={all} {...(now && { was: now })} />
        </>
      }
    >
      <PageForm of={form} label={say(['商户资料', 'Merchant form'])}>
        <fieldset>
          <legend>{say(['主体', 'Legal entity'])}</legend>
          <FormFields of={form} names={['name', 'license_no', 'license_expire_at', 'city']} />
          <FormFields of={form} names={['license_image']} wide />
          <FormFields
            of={form}
            names={['legal_name', 'legal_id_no', 'contact_name', 'contact_phone']}
          />
        </fieldset>
        <fieldset>
          <legend>{say(['经营与资质', 'Business and licences'])}</legend>
          <FormFields of={form} names={['categories']} wide />
          <FormFields of={form} names={licences} />
        </fieldset>
        <fieldset>
          <legend>{say(['合同', 'Contract'])}</legend>
          <FormFields
            of={form}
            names={['contract_no', 'contract_start_at', 'contract_end_at', 'rate']}
          />
        </fieldset>
        <fieldset>
          <legend>{say(['结算账户', 'Settlement account'])}</legend>
          <FormFields
            of={form}
            names={['bank_kind', 'bank_holder', 'bank_name', 'bank_no', 'settle_cycle', 'deposit']}
          />
        </fieldset>
      </PageForm>
    </FormPage>
  )
}

/** The application of a merchant: a new one, or the draft of `?id=`. */
export default function MerchantForm() {
  const search = useSearch()
  const id = Number(new URLSearchParams(search).get('id')) || 0
  const detail = useRead(calls.detail, id > 0 ? { id } : skipToken)
  const categories = useRead(calls.categories, { pageSize: 200 })
  const cities = useCities()
  const error =
    (id > 0 && !detail.data && detail.error) ||
    (!categories.data && categories.error) ||
    (!cities.data && cities.error)
  if (error)
    return (
      <Failed
        error={error}
        retry={() => {
          detail.refetch()
          categories.refetch()
          cities.refetch()
        }}
      />
    )
  const of = id > 0 ? (detail.currentData ?? detail.data) : undefined
  if (!categories.data || !cities.data || (id > 0 && of?.id !== id)) return <Loading lines={16} />
  return <Form key={id} now={of} all={categories.data.list} cities={cities.data} />
}
