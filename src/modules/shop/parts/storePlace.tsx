import { useMemo, type RefObject } from 'react'
import { storeStates } from '#src/areas/mall/mall.ts'
import { PIN_FAR_M, STORE_NEAR_M } from '#src/areas/merchant/storeForm.ts'
import type { Pin } from '#src/areas/place/geo.ts'
import type { Result } from '#src/contract/call.ts'
import { FormField, type FormState } from '#src/kit/form.tsx'
import { MapPin } from '#src/kit/map.tsx'
import { Badge, Section } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { storeAdd } from '../contract/storeAdd.ts'
import { farFrom } from './storeAsks.ts'

export type Standing = Result<typeof storeAdd.standing>
export type Twins = Result<typeof storeAdd.checkDuplicate>
const nowhere: Pin = { lng_e6: 121_473_700, lat_e6: 31_230_400 }

/** What the fields of a place are refused with, where no question of the form shows it. */
const faultOf = (of: FormState, name: string) => of.refused?.fields?.[name]
/** Where a store stands: its mall, floor, door and address, and the pin on the map. */
export const StorePlace = ({
  form,
  pin,
  standing,
  near,
  city,
  at,
}: {
  form: FormState
  pin: Pin | undefined
  standing: Standing | undefined
  near?: Twins | undefined
  city: string
  at: RefObject<HTMLDivElement | null>
}) => {
  const say = useSay()
  const mall = standing?.mall
  const others = useMemo(
    () => (mall ? [{ id: 0, name: mall.name, pin: mall }] : []),
    [mall?.name, mall?.lng_e6, mall?.lat_e6],
  )
  const far = farFrom(mall, pin)
  const set = (name: string) => <FormField key={name} of={form} name={name} />
  const fault = faultOf(form, 'pin')
  return (
    <fieldset>
      <legend>{say(['位置', 'Location'])}</legend>
      {['city', 'mid', 'floor_id', 'door_no'].filter(name => name in form.asks).map(set)}
      <div className="m-fp-wide">{set('address')}</div>
      <div
        id={form.idOf('pin')}
        className="m-fp-wide"
        tabIndex={-1}
        ref={at}
        aria-describedby={`${form.idOf('pin')}-error`}
      >
        <MapPin
          label={say(['门店位置', 'Location'])}
          value={pin ?? null}
          onChange={next => form.change('pin', next ?? undefined)}
          centre={mall ?? standing?.centre ?? nowhere}
          place={city}
          others={others}
          onAddress={address => {
            if (!form.answers?.['address']) form.change('address', address.slice(0, 120))
          }}
        />
        <div className={far !== undefined && far > PIN_FAR_M ? 'm-error' : 'm-hint'} role="status">
          {far === undefined
            ? say(['选择商场并放置坐标后，显示两者的距离', 'Pick a mall and pin for distance'])
            : say(
                far > PIN_FAR_M
                  ? ['距{mall} {m} 米，超过 500 米，请核对', '{m} m from {mall}: check it']
                  : ['距{mall} {m} 米', '{m} m from {mall}'],
                { mall: mall!.name, m: far },
              )}
        </div>
        {fault && (
          <div className="m-error" id={`${form.idOf('pin')}-error`} role="alert">
            {fault}
          </div>
        )}
        {near?.same && (
          <div className="m-error" role="alert">
            {say(
              ['该商户已有同名同址的门店（编号 {id}）', 'Merchant has this store: no. {id}'],
              near.same,
            )}
          </div>
        )}
      </div>
      <div className="m-fp-wide">{set('confirm_pin')}</div>
    </fieldset>
  )
}

/** Stores that may be the same: near by, or called alike. */
export const NearStores = ({ of }: { of: Twins | undefined }) => {
  const say = useSay()
  return (
    <div id="sp-near">
      <Section title={say(['200 米内或名称相近', 'Within 200 m or similar name'])}>
        <div role="status">
          {!of || of.list.length === 0 ? (
            <span className="m-muted">
              {of
                ? say(['没有发现重复', 'No duplicates found'])
                : say(['填写名称或放置坐标后自动检查', 'Checked once there is a name or a pin'])}
            </span>
          ) : (
            <ul className="sp-list">
              {of.list.map(one => (
                <li key={one.id}>
                  {one.alike_bp >= 10_000 && (
                    <>
                      <Badge tone="bad">{say(['同名', 'Same name'])}</Badge>{' '}
                    </>
                  )}
                  {one.metres !== null && one.metres <= STORE_NEAR_M && (
                    <>
                      <Badge tone="warn">{say(['{n} 米', '{n} m'], { n: one.metres })}</Badge>{' '}
                    </>
                  )}
                  {one.name}
                  <div className="m-muted">
                    {say(storeStates[one.status])} · {one.merchant_name} · {one.address || '—'}
                  </div>
                </li>
              ))}
            </ul>
          )}
        </div>
      </Section>
    </div>
  )
}
/** Licences that the category asks for, and whether the merchant has them. */
export const Licences = ({ of }: { of: Standing | undefined }) => {
  const say = useSay()
  return (
    <Section title={say(['分类要求的资质', 'Licences of the category'])}>
      {!of || of.licences.length === 0 ? (
        <span className="m-muted">{say(['无', 'None'])}</span>
      ) : (
        <div className="sp-missing">
          {of.licences.map(one => (
            <Badge key={one.name} tone={one.held ? 'good' : 'bad'}>
              {one.held
                ? one.name
                : say(['缺少或过期：{name}', 'Missing: {name}'], { name: one.name })}
            </Badge>
          ))}
        </div>
      )}
    </Section>
  )
}
