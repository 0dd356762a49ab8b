import { Button, InputGroup } from '@blueprintjs/core'
import { useEffect, useMemo, useRef } from 'react'
import { useDispatch } from 'react-redux'
import { useSearch } from 'wouter'
import { ask, to } from '#commands/command.ts'
import { formActions, mallActions } from '#commands/mall/mall.ts'
import { floors as floorsPage, mallForm } from '#commands/pages/mall.ts'
import {
  hoursFault,
  isNeeded,
  mallKinds,
  mallStates,
  missingOf,
  moduleKeys,
  nameFault,
  usualOptions,
  wanted,
  completeness,
  mallModules,
  type Hours,
  type MallKind,
} from '#src/areas/mall/mall.ts'
import { inCity, type Pin } from '#src/areas/place/geo.ts'
import type { Result, Sent } from '#src/contract/call.ts'
import { cityList, type CityRow } from '#src/contract/places.ts'
import { isCallable } from '#src/domain/phone.ts'
import { clause, semicolon } from '#src/domain/text.ts'
import { useTrail } from '#src/kit/changed.tsx'
import { dispatchRead, skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { OnPage } from '#src/kit/fields.tsx'
import { FirstField } from '#src/kit/focus.ts'
import { FormField, FormNotes, useForm, useUnsaved } from '#src/kit/form.tsx'
import { Picture } from '#src/kit/image.tsx'
import { MapPin } from '#src/kit/map.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Phone } from '#src/kit/phone.tsx'
import { useCities } from '#src/kit/places.tsx'
import { refusedBy, type Refused } from '#src/kit/refused.ts'
import { Badge, Keys, Section } from '#src/kit/show.tsx'
import { Failed, Loading } from '#src/kit/states.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { useAction, usePane, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { mall as calls } from '../contract/index.ts'

type Detail = Result<typeof calls.detail>
type Answers = {
  name: string
  short_name?: string
  kind: MallKind
  city: string
  district?: string
  address?: string
  pin?: Pin
  logo?: string[]
  covers?: string[]
  hours?: Hours[]
  phone?: string
  parking_note?: string
  facility_note?: string
  intro?: string
  pin_reason?: string
}
/** The names under which the server refuses a field, as the questions are called here. */
const namesHere: Record<string, string> = {
  city_id: 'city',
  lng_e6: 'pin_reason',
  lat_e6: 'pin_reason',
  open_hours: 'hours',
}

/** The cities with their codes and centres, for who may read them. */
type Coded = { list?: readonly CityRow[] } | undefined
const asksFor = (cities: readonly { id: number; city_name: string }[], coded: Coded) => ({
  name: ask.text({
    label: ['商场名称', 'Name'],
    max: 40,
    wide: 40,
    initial: rows => rows[0]?.name,
    check: value => nameFault(value),
  }),
  short_name: ask.text({
    label: ['简称', 'Short name'],
    max: 12,
    optional: true,
    initial: rows => rows[0]?.short_name,
  }),
  kind: ask.choice({
    label: ['类型', 'Kind'],
    options: mallKinds,
    initial: rows => rows[0]?.kind ?? 'mall',
  }),
  city: ask.choice({
    label: ['城市', 'City'],
    options: Object.fromEntries(
      cities.map(city => [String(city.id), [city.city_name, city.city_name] as const]),
    ),
    initial: rows => (rows[0] ? String(rows[0].city_id) : undefined),
  }),
  district: ask.text({
    label: ['区县', 'District'],
    max: 20,
    optional: true,
    region: {
      level: 'district',
      within: answers => coded?.list?.find(one => String(one.id) === answers['city'])?.adcode,
    },
    initial: rows => rows[0]?.district,
  }),
  address: ask.text({
    label: ['地址', 'Address'],
    max: 120,
    optional: true,
    initial: rows => rows[0]?.address,
  }),
  phone: ask.text({
    label: ['电话', 'Phone'],
    max: 20,
    optional: true,
    initial: rows => rows[0]?.phone,
    check: value =>
      isCallable(value)
        ? undefined
        : ['手机号或座机，如 021-51234567', 'A mobile or landline number, such as 021-51234567'],
  }),
  logo: ask.images({
    label: ['标志', 'Logo'],
    max: 1,
    optional: true,
    maxBytes: 5 * 1024 * 1024,
    initial: rows => (rows[0]?.logo ? [rows[0].logo] : []),
  }),
  covers: ask.images({
    label: ['封面与环境图（首张为封面）', 'Cover and pictures (the first is the cover)'],
    max: 9,
    optional: true,
    maxBytes: 5 * 1024 * 1024,
    initial: rows => rows[0]?.covers ?? [],
  }),
  parking_note: ask.text({
    label: ['停车说明', 'Parking'],
    max: 200,
    lines: 2,
    optional: true,
    initial: rows => rows[0]?.parking_note,
  }),
  facility_note: ask.text({
    label: ['设施说明', 'Facilities'],
    max: 200,
    lines: 2,
    optional: true,
    initial: rows => rows[0]?.facility_note,
  }),
  intro: ask.text({
    label: ['简介', 'Introduction'],
    max: 2000,
    lines: 4,
    optional: true,
    initial: rows => rows[0]?.intro,
  }),
  pin_reason: ask.text({
    label: ['坐标在城市之外的原因', 'Why the pin is outside the city'],
    max: 200,
    optional: true,
    lines: 2,
    shown: answers => answers.far === true,
  }),
})

/** What the form holds beside its questions. */
const givenFrom = ([of]: readonly Detail[]): { pin: Pin | undefined; hours: Hours[] } => ({
  pin:
    of?.lng_e6 != null && of.lat_e6 != null ? { lng_e6: of.lng_e6, lat_e6: of.lat_e6 } : undefined,
  hours: of?.open_hours ?? [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '10:00', to: '22:00' }],
})
const besides = {
  pin: {
    label: ['位置', 'Place'],
    told: (of?: Pin) => (of ? `${of.lng_e6 / 1e6}, ${of.lat_e6 / 1e6}` : '—'),
  },
  hours: {
    label: ['营业时间', 'Opening hours'],
    told: (of: Hours[] | undefined, say: Say) =>
      (of ?? []).map(one => `${one.weekdays.join(' ')} ${one.from}–${one.to}`).join(say(semicolon)),
  },
} as const

export default function MallFormPage() {
  const search = useSearch()
  const mid = Number(new URLSearchParams(search).get('mid')) || 0
  const detail = useRead(calls.detail, mid > 0 ? { mid } : skipToken)
  const cities = useCities()
  if (mid > 0 && detail.error && !detail.data)
    return <Failed error={detail.error} retry={detail.refetch} />
  const of = mid > 0 ? (detail.currentData ?? detail.data) : undefined
  if (!cities.data || (mid > 0 && of?.mid !== mid))
    return cities.error ? (
      <Failed error={cities.error} retry={cities.refetch} />
    ) : (
      <Loading lines={16} />
    )
  return <Form key={mid} now={of} cities={cities.data} />
}

const Form = ({
  now,
  cities,
}: {
  now: Detail | undefined
  cities: readonly { id: number; city_name: string }[]
}) => {
  const say = useSay()
  const { open, run, toast, me } = useWorkbench()
  const { id: pane } = usePane()
  const dispatch = useDispatch()
  // The newest reading: what the person did not touch follows it.
  const rows = useMemo(() => (now ? [now] : []), [now])
  const { data: coded } = useRead(cityList, { simp: 0, page: 1, pageSize: 100 })
  const asks = useMemo(() => asksFor(cities, coded as Coded), [cities, coded])
  const [previewing, setPreviewing] = usePaneState('preview', true)
  const [create] = useWrite(calls.create)
  const [edit] = useWrite(calls.edit)
  const goal = useRef<'draft' | 'save' | 'publish'>('save')
  const locate = useRef<HTMLDivElement>(null)
  const newest = async (mid: number) => [
    await dispatchRead(dispatch as never, calls.detail, { mid }, true),
  ]
  const submit = async (
    raw: Record<string, unknown>,
    [began]: readonly Detail[],
  ): Promise<true | Refused> => {
    const answers = raw as unknown as Answers
    const fault = hoursFault(answers.hours ?? [])
    if (fault) return { fields: { hours: say(fault) } }
    const body = {
      name: answers.name,
      short_name: answers.short_name ?? '',
      city_id: Number(answers.city),
      kind: answers.kind,
      district: answers.district ?? '',
      address: answers.address ?? '',
      lng_e6: answers.pin?.lng_e6 ?? null,
      lat_e6: answers.pin?.lat_e6 ?? null,
      logo: answers.logo?.[0] ?? '',
      covers: answers.covers ?? [],
      open_hours: answers.hours ?? [],
      phone: answers.phone ?? '',
      parking_note: answers.parking_note ?? '',
      facility_note: answers.facility_note ?? '',
      intro: answers.intro ?? '',
      ...(answers.pin_reason?.trim()
        ? { confirm_pin: true, reason: answers.pin_reason.trim() }
        : {}),
    } satisfies Sent<typeof calls.create>
    try {
      const done = began
        ? await edit(
            {
              mid: began.mid,
              version: began.version,
              ...body,
              ...(goal.current === 'publish' ? { to_status: 'online' as const } : {}),
            },
            { quiet: true },
          )
        : await create(
            { ...body, ...(goal.current === 'publish' ? { publish: true } : {}) },
            { quiet: true },
          )
      if (began) await newest(began.mid).catch(() => {})
      form.reset()
      toast(
        goal.current === 'publish'
          ? say(['已保存并上线', 'Saved and published'])
          : say(['已保存', 'Saved']),
        'success',
      )
      if (!began) open(to(mallForm, { mid: done.mid }), 'here')
      return true
    } catch (fault) {
      return refusedBy(fault, { as: namesHere, newest: began && (() => newest(began.mid)) })
    }
  }
  const form = useForm({
    asks,
    rows,
    given: givenFrom,
    words: besides,
    draft: `mall-form:${now?.mid ?? 0}`,
    submit,
    trail: useTrail(mallForm, rows),
  })
  const [began] = form.rows as readonly Detail[]
  const answers = form.answers as unknown as Answers | undefined
  const cityId = Number(answers?.city ?? 0)
  const city = (coded as Coded)?.list?.find(one => one.id === cityId)
  const centre: Pin = city
    ? { lng_e6: Math.round(Number(city.lng) * 1e6), lat_e6: Math.round(Number(city.lat) * 1e6) }
    : (answers?.pin ?? { lng_e6: 121_473_700, lat_e6: 31_230_400 })
  const far = Boolean(city && answers?.pin && !inCity(answers.pin, city))
  const { change } = form
  const said = (form.answers as { far?: boolean } | undefined)?.far ?? false
  useEffect(() => {
    if (answers && said !== far) change('far', far)
  }, [answers, said, far, change])
  const near = useRead(
    calls.checkDuplicate,
    answers && (answers.pin || answers.name)
      ? {
          ...(began ? { mid: began.mid } : {}),
          ...(cityId > 0 ? { city_id: cityId } : {}),
          ...(answers.name ? { name: answers.name } : {}),
          ...answers.pin,
        }
      : skipToken,
  )
  const others = useMemo(
    () =>
      (near.data?.list ?? [])
        .filter(one => one.lng_e6 !== 0)
        .map(one => ({
          id: one.id,
          name: one.name,
          pin: { lng_e6: one.lng_e6, lat_e6: one.lat_e6 },
        })),
    [near.data],
  )
  const go = (how: typeof goal.current) => {
    goal.current = how
    form.go()
  }
  useSubject(useMemo(() => ({ rows: now ? [now] : [] }), [now]))
  useAction(formActions.saveDraft, () => go('draft'))
  useAction(formActions.submit, () => go('save'))
  useAction(formActions.publish, () => go('publish'))
  useAction(formActions.preview, () => setPreviewing(!previewing))
  useAction(formActions.locate, () => {
    locate.current?.scrollIntoView({ block: 'center' })
    locate.current?.querySelector<HTMLElement>('[role=application], input')?.focus()
  })
  useAction(formActions.checkDuplicate, () => {
    near.refetch()
    document.getElementById('ml-near')?.scrollIntoView({ block: 'nearest' })
    toast(
      near.data?.list.length
        ? say(['附近或同名的商场有 {n} 个', '{n} near by or of the same name'], {
            n: near.data.list.length,
          })
        : say(['没有发现重复', 'No duplicates found']),
      near.data?.list.length ? 'warning' : 'success',
    )
  })
  useAction(mallActions.setMallOptions, () => {
    if (now) void run(mallActions.setMallOptions, [now], { pane })
  })
  useUnsaved(form)
  if (!answers) return <Loading lines={16} />
  const missing = missingOf({
    city_id: cityId || null,
    lng_e6: answers.pin?.lng_e6 ?? null,
    lat_e6: answers.pin?.lat_e6 ?? null,
    covers: answers.covers ?? [],
    shown_floors: now && !now.missing.includes('floor') ? 1 : 0,
    logo: answers.logo?.[0] ?? '',
    phone: answers.phone ?? '',
    open_hours: answers.hours ?? [],
    address: answers.address ?? '',
    intro: answers.intro ?? '',
  })
  const options = now?.options ?? usualOptions
  const set = (name: string) => <FormField of={form} name={name} />
  return (
    <div className="ml-page-of">
      <Toolbar
        actions={[
          ...Object.values(formActions).filter(
            one => one !== formActions.saveDraft || !began || began.status === 'draft',
          ),
          ...(began ? [mallActions.setMallOptions] : []),
        ]}
        rows={now ? [now] : []}
      >
        {began && <Badge>{say(mallStates[began.status])}</Badge>}
        <FormNotes of={form} />
      </Toolbar>
      <div className="ml-form">
        <OnPage value={true}>
          <form
            className="ml-fields m-ask"
            onSubmit={event => {
              event.preventDefault()
              go('save')
            }}
            aria-label={say(['商场资料', 'Mall form'])}
          >
            {form.refused?.message && (
              <div className="m-error" role="alert">
                {form.refused.message}
              </div>
            )}
            <fieldset>
              <legend>{say(['基本资料', 'Basics'])}</legend>
              {set('name')}
              {set('short_name')}
              {set('kind')}
              {set('city')}
              {set('phone')}
            </fieldset>
            <fieldset>
              <legend>{say(['位置', 'Place'])}</legend>
              {set('district')}
              <div className="ml-wide">{set('address')}</div>
              <div className="ml-wide" ref={locate}>
                <MapPin
                  label={say(['商场位置', 'Where it stands'])}
                  value={answers.pin ?? null}
                  onChange={next => change('pin', next ?? undefined)}
                  centre={centre}
                  place={city?.city_name ?? ''}
                  others={others}
                  onAddress={address => {
                    if (!answers.address) change('address', address.slice(0, 120))
                  }}
                />
                {far && (
                  <div className="m-error" role="alert">
                    {say(
                      [
                        '坐标不在{city}范围内：请核对，或写明原因后保存',
                        'The pin is outside {city}: check it, or say why',
                      ],
                      { city: city?.city_name ?? '' },
                    )}
                  </div>
                )}
              </div>
              <div className="ml-wide">{set('pin_reason')}</div>
            </fieldset>
            <fieldset>
              <legend>{say(['营业时间', 'Opening hours'])}</legend>
              <div className="ml-wide">
                <HoursField
                  id={form.idOf('hours')}
                  value={answers.hours ?? []}
                  change={next => change('hours', next)}
                  fault={form.refused?.fields?.['hours']}
                />
              </div>
            </fieldset>
            <fieldset>
              <legend>{say(['图片', 'Pictures'])}</legend>
              {set('logo')}
              <div className="ml-wide">{set('covers')}</div>
            </fieldset>
            <fieldset>
              <legend>{say(['停车与设施', 'Parking and facilities'])}</legend>
              {set('parking_note')}
              {set('facility_note')}
              <div className="ml-wide">{set('intro')}</div>
            </fieldset>
            <FirstField />
            <button type="submit" hidden />
          </form>
        </OnPage>
        <aside>
          <Section
            title={say(['完整度', 'Completeness'])}
            aside={<span className="m-num">{completeness(missing)}%</span>}
          >
            {missing.length === 0 ? (
              <Badge tone="good">{say(['资料齐全，可以上线', 'Complete: ready to publish'])}</Badge>
            ) : (
              <div className="ml-missing">
                {missing.map(key => (
                  <Badge key={key} tone={isNeeded(key) ? 'bad' : 'warn'}>
                    {say(wanted[key])}
                  </Badge>
                ))}
              </div>
            )}
            {missing.includes('floor') && began && me.can(floorsPage.permit) && (
              <p>
                <a
                  href={to(floorsPage, { mid: began.mid })}
                  onClick={event => {
                    event.preventDefault()
                    open(to(floorsPage, { mid: began.mid }))
                  }}
                >
                  {say(['去添加楼层', 'Add floors'])}
                </a>
              </p>
            )}
            {missing.includes('floor') && !began && (
              <p className="m-muted">
                {say(['先保存，再到楼层管理添加楼层', 'Save first, then add floors'])}
              </p>
            )}
          </Section>
          <div id="ml-near">
            <Section title={say(['500 米内或同名', 'Within 500 m or of its name'])}>
              {near.data && near.data.list.length > 0 ? (
                <ul className="ml-near">
                  {near.data.list.map(one => (
                    <li key={one.id}>
                      {one.name}{' '}
                      <span className="m-muted">
                        {one.city_name}
                        {one.metres !== null && say(['，{n} 米', ', {n} m'], { n: one.metres })}
                      </span>
                      {one.same_name && (
                        <>
                          {' '}
                          <Badge tone="bad">{say(['同名', 'Same name'])}</Badge>
                        </>
                      )}
                    </li>
                  ))}
                </ul>
              ) : (
                <span className="m-muted">{say(['没有发现重复', 'No duplicates found'])}</span>
              )}
            </Section>
          </div>
          {previewing && (
            <Phone
              label={say(['手机预览', 'Phone preview'])}
              title={answers.name || say(['商场名称', 'Name'])}
            >
              {answers.covers?.[0] ? (
                <Picture of={answers.covers[0]} label={say(['封面', 'Cover'])} />
              ) : (
                <div className="ml-block m-muted">{say(['未上传封面', 'No cover'])}</div>
              )}
              <div className="ml-block">
                <h4>{answers.name}</h4>
                <div>{answers.address}</div>
                <div>
                  {(answers.hours ?? []).map(one => `${one.from}–${one.to}`).join(say(clause))}
                </div>
                <div>{answers.phone}</div>
              </div>
              {options.block_order
                .filter(key => options[`show_${key}`] && moduleKeys.includes(key))
                .map(key => (
                  <div className="ml-block" key={key}>
                    {say(mallModules[key])}
                  </div>
                ))}
            </Phone>
          )}
          <div style={{ padding: 12 }}>
            <Button size="small" onClick={() => setPreviewing(!previewing)}>
              {previewing
                ? say(['收起预览', 'Hide the preview'])
                : say(['手机预览', 'Phone preview'])}
              <Keys keys="V" />
            </Button>
          </div>
        </aside>
      </div>
    </div>
  )
}

const weekdays = [
  ['一', 'Mo'],
  ['二', 'Tu'],
  ['三', 'We'],
  ['四', 'Th'],
  ['五', 'Fr'],
  ['六', 'Sa'],
  ['日', 'Su'],
] as const
const HoursField = ({
  id,
  value,
  change,
  fault,
}: {
  id: string
  value: readonly Hours[]
  change: (value: Hours[]) => void
  fault: string | undefined
}) => {
  const say = useSay()
  const at = (index: number, next: Partial<Hours>) =>
    change(value.map((one, i) => (i === index ? { ...one, ...next } : one)))
  const wrong =
    fault ?? (value.length > 0 && hoursFault(value) ? say(hoursFault(value)!) : undefined)
  return (
    <div id={id} className="ml-hours" role="group" aria-label={say(['营业时间', 'Opening hours'])}>
      {value.map((one, index) => (
        <div key={index}>
          <span
            className="ml-days"
            role="group"
            aria-label={say(['第 {n} 行的星期', 'Weekdays of line {n}'], { n: index + 1 })}
          >
            {weekdays.map((day, i) => (
              <button
                key={day[1]}
                type="button"
                aria-pressed={one.weekdays.includes(i + 1)}
                aria-label={say([`周${day[0]}`, day[1]])}
                onClick={() =>
                  at(index, {
                    weekdays: one.weekdays.includes(i + 1)
                      ? one.weekdays.filter(each => each !== i + 1)
                      : [...one.weekdays, i + 1].sort((a, b) => a - b),
                  })
                }
              >
                {say(day)}
              </button>
            ))}
          </span>
          <InputGroup
            size="small"
            aria-label={say(['开门', 'Opens'])}
            value={one.from}
            maxLength={5}
            placeholder="10:00"
            onValueChange={from => at(index, { from: from.normalize('NFKC') })}
          />{' '}
          –{' '}
          <InputGroup
            size="small"
            aria-label={say(['关门', 'Closes'])}
            value={one.to}
            maxLength={5}
            placeholder="22:00"
            onValueChange={next => at(index, { to: next.normalize('NFKC') })}
          />
          <Button
            size="small"
            variant="minimal"
            aria-label={say(['删除这一行', 'Take this line out'])}
            onClick={() => change(value.filter((_, i) => i !== index))}
          >
            ×
          </Button>
        </div>
      ))}
      <div>
        <Button
          size="small"
          disabled={value.length >= 7}
          onClick={() => change([...value, { weekdays: [], from: '10:00', to: '22:00' }])}
        >
          {say(['增加一行', 'Add a line'])}
        </Button>
      </div>
      <div className="m-error" role={wrong ? 'alert' : undefined}>
        {wrong}
      </div>
    </div>
  )
}
