import { missingOfShop, shopProofs } from '#src/areas/merchant/onlineShop.ts'
import { areHours, noHours } from '#src/areas/merchant/storeHours.ts'
import type { Result } from '#src/contract/call.ts'
import { percent } from '#src/domain/money.ts'
import type { FormState } from '#src/kit/form.tsx'
import { FormFields } from '#src/kit/formpage.tsx'
import { HoursField } from '#src/kit/hours.tsx'
import { Badge, Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { shopAdd } from '../contract/addStores.ts'
import type { LiveAnswers } from './asks.ts'
import './stores.css'

export type Standing = Result<typeof shopAdd.standing>
/** The questions whose answers hold at once. */
export const LiveFields = ({ form, answers }: { form: FormState; answers: LiveAnswers }) => {
  const say = useSay()
  return (
    <>
      <fieldset>
        <legend>{say(['客服与开票', 'Service and invoices'])}</legend>
        <FormFields of={form} names={['phone', 'invoice']} />
        <div className="m-fp-wide">
          <HoursField
            id={form.idOf('hours')}
            label={['客服时间', 'Service hours']}
            value={answers.hours ?? noHours}
            change={next => form.change('hours', next)}
            fault={form.refused?.fields?.['hours']}
          />
        </div>
        <FormFields of={form} names={['logo']} wide />
      </fieldset>
      <fieldset>
        <legend>{say(['发货与退货', 'Shipping and returns'])}</legend>
        <FormFields
          of={form}
          names={[
            'ship_area',
            'freight_template_id',
            'return_name',
            'return_phone',
            'return_area',
            'return_address',
          ]}
        />
      </fieldset>
    </>
  )
}
/** What keeps a shop from being submitted, and then from being opened. */
export const Checklist = ({
  of,
  standing,
}: {
  of: LiveAnswers
  standing: Standing | undefined
}) => {
  const say = useSay()
  const missing = missingOfShop({
    logo: of.logo?.[0] ?? '',
    phone: of.phone ?? '',
    ship_area: of.ship_area ?? '',
    freight_template_id: of.freight_template_id ?? null,
    has_hours: areHours(of.hours ?? noHours),
    has_return_address: Boolean(
      of.return_name && of.return_phone && of.return_area && of.return_address,
    ),
  })
  const lacks = standing?.licences.filter(one => !one.held) ?? []
  return (
    <Section title={say(['开店清单', 'Opening checklist'])}>
      <div role="status" className="os-checks">
        <p className="m-muted">{say(['提交审核前', 'Before submitting'])}</p>
        <div className="os-badges">
          {missing.length === 0 && lacks.length === 0 && (
            <Badge tone="good">{say(['资料齐全', 'Complete'])}</Badge>
          )}
          {missing.map(key => (
            <Badge key={key} tone="warn">
              {say(shopProofs[key])}
            </Badge>
          ))}
          {lacks.map(one => (
            <Badge key={one.name} tone="bad">
              {say(['缺少或过期：{name}', 'Missing: {name}'], { name: one.name })}
            </Badge>
          ))}
        </div>
        <p className="m-muted">{say(['审核通过后', 'After approval'])}</p>
        <div className="os-badges">
          <Badge>{say(['至少上架一件商品', 'At least one product on sale'])}</Badge>
        </div>
      </div>
    </Section>
  )
}
/** What the categories ask for and make it pay, and who is called the same. */
export const Terms = ({ standing }: { standing: Standing | undefined }) => {
  const say = useSay()
  return (
    <Section title={say(['分类要求', 'Category requirements'])}>
      <p>
        {say(['默认费率', 'Default rate'])}{' '}
        <b>
          {standing?.rate_bp == null ? say(['按商品约定', 'as agreed']) : percent(standing.rate_bp)}
        </b>
      </p>
      <div className="os-badges">
        {standing?.licences
          .filter(one => one.held)
          .map(one => (
            <Badge key={one.name} tone="good">
              {one.name}
            </Badge>
          ))}
      </div>
      {standing?.self_run && (
        <p className="m-error" role="alert">
          {say(['该商场已有自营店「{name}」', 'The mall has a self-run shop: {name}'], {
            name: standing.self_run.name,
          })}
        </p>
      )}
    </Section>
  )
}
type Called = Result<typeof shopAdd.checkName>
export const SameName = ({ of }: { of: Called | undefined }) => {
  const say = useSay()
  return (
    <div id="os-called" tabIndex={-1}>
      <Section title={say(['重名检查', 'Name check'])}>
        <div role="status">
          {!of && (
            <span className="m-muted">
              {say(['填写名称后自动检查', 'Checked once you enter a name'])}
            </span>
          )}
          {of && !of.same && of.others.length === 0 && (
            <Badge tone="good">{say(['没有重名', 'The name is available'])}</Badge>
          )}
          {of?.same && (
            <p className="m-error">
              {say(
                ['该商户已有同名网店（编号 {id}）', 'The merchant has this shop: {id}'],
                of.same,
              )}
            </p>
          )}
          {of?.others.map(one => (
            <p key={one.id}>
              <Badge tone="warn">{say(['同名', 'Same name'])}</Badge> {one.name}{' '}
              <span className="m-muted">{one.merchant_name}</span>
            </p>
          ))}
        </div>
      </Section>
    </div>
  )
}
