import { useEffect, useMemo, useRef, type RefObject } from 'react'
import { useDispatch } from 'react-redux'
import { useSearch } from 'wouter'
import { to } from '#commands/command.ts'
import { formActions, mallActions } from '#commands/mall/mall.ts'
import { mallForm } from '#commands/pages/mall.ts'
import { hoursFault, mallStates } from '#src/areas/mall/mall.ts'
import { inCity, type Pin } from '#src/areas/place/geo.ts'
import type { Result } from '#src/contract/call.ts'
import { cityList } from '#src/contract/places.ts'
import { useTrail } from '#src/kit/changed.tsx'
import { dispatchRead, skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { FormNotes, useForm, useUnsaved, type FormState } from '#src/kit/form.tsx'
import { FormFields, FormPage, PageForm } from '#src/kit/formpage.tsx'
import { HoursField } from '#src/kit/hours.tsx'
import { MapPin } from '#src/kit/map.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { useCities } from '#src/kit/places.tsx'
import { refusedBy, type Refused } from '#src/kit/refused.ts'
import { Badge } from '#src/kit/show.tsx'
import { Failed, Loading, Unanswered } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, usePane, useSubject, useWorkbench } from '#src/kit/workbench.ts'
import { mall as calls } from '../contract/index.ts'
import {
  besides,
  bodyOf,
  givenFrom,
  mallAsks,
  namesHere,
  type Cities,
  type Coded,
  type MallAnswers,
  type MallProfile,
} from '../parts/mallAsks.ts'
import { Completeness, MallPreview, NearMalls } from '../parts/MallSide.tsx'

/** The middle of Shanghai, where no city says another. */
const NOWHERE: Pin = { lng_e6: 121_473_700, lat_e6: 31_230_400 }
type Known = { now: MallProfile | undefined; cities: Cities }

export default function MallFormPage() {
  const search = useSearch()
  const mid = Number(new URLSearchParams(search).get('mid')) || 0
  const detail = useRead(calls.detail, mid > 0 ? { mid } : skipToken)
  const cities = useCities()
  if (mid > 0 && detail.error && !detail.data)
    return <Failed error={detail.error} retry={detail.refetch} />
  const of = mid > 0 ? (detail.currentData ?? detail.data) : undefined
  if (!cities.data || (mid > 0 && of?.mid !== mid)) return <Unanswered of={cities} lines={16} />
  return <Form key={mid} now={of} cities={cities.data} />
}

/** The form of a mall, and the two ways to send it. */
const useMallForm = ({ now, cities }: Known, coded: Coded) => {
  const say = useSay()
  const { open, toast } = useWorkbench()
  const dispatch = useDispatch()
  // The newest reading: what the person did not touch follows it.
  const rows = useMemo(() => (now ? [now] : []), [now])
  const asks = useMemo(() => mallAsks(cities, coded), [cities, coded])
  const [create] = useWrite(calls.create)
  const [edit] = useWrite(calls.edit)
  const isPublishing = useRef(false)
  const newest = async (mid: number) => [
    await dispatchRead(dispatch as never, calls.detail, { mid }, true),
  ]
  const send = (answers: MallAnswers, began: MallProfile | undefined) => {
    const body = bodyOf(answers)
    if (!began)
      return create({ ...body, ...(isPublishing.current && { publish: true }) }, { quiet: true })
    const held = { mid: began.mid, version: began.version }
    return edit(
      { ...held, ...body, ...(isPublishing.current && { to_status: 'online' as const }) },
      { quiet: true },
    )
  }
  const submit = async (
    raw: Record<string, unknown>,
    [began]: readonly MallProfile[],
  ): Promise<true | Refused> => {
    const answers = raw as unknown as MallAnswers
    const fault = hoursFault(answers.hours ?? [])
    if (fault) return { fields: { hours: say(fault) } }
    try {
      const done = await send(answers, began)
      if (began) await newest(began.mid).catch(() => {})
      form.reset()
      toast(
        isPublishing.current
          ? say(['已保存并上线', 'Saved and published'])
          : say(['已保存', 'Saved']),
        'success',
      )
      if (!began) open(to(mallForm, { mid: done.mid }), 'here')
      return true
    } catch (error) {
      return refusedBy(error, { as: namesHere, newest: began && (() => newest(began.mid)) })
    }
  }
  const form: FormState = useForm({
    asks,
    rows,
    given: givenFrom,
    words: besides,
    draft: `mall-form:${now?.mid ?? 0}`,
    submit,
    trail: useTrail(mallForm, rows),
  })
  const going = (publishes: boolean) => () => {
    isPublishing.current = publishes
    form.go()
  }
  return { form: { ...form, go: going(false) }, rows, publish: going(true) }
}
/** Malls near the pin or of the name that is written. */
const useNear = (answers: MallAnswers | undefined, now: MallProfile | undefined) => {
  const city_id = Number(answers?.city ?? 0)
  return useRead(
    calls.checkDuplicate,
    answers && (answers.pin || answers.name)
      ? {
          ...(now && { mid: now.mid }),
          ...(city_id > 0 && { city_id }),
          ...(answers.name && { name: answers.name }),
          ...answers.pin,
        }
      : skipToken,
  )
}
/** The city that was chosen, and whether the pin stands outside it, which the form asks a reason for. */
const usePlace = (form: FormState, coded: Coded) => {
  const answers = form.answers as (MallAnswers & { far?: boolean }) | undefined
  const city = coded?.list?.find(one => one.id === Number(answers?.city ?? 0))
  const far = Boolean(city && answers?.pin && !inCity(answers.pin, city))
  const { change } = form
  const said = answers?.far ?? false
  const isOpen = answers !== undefined
  useEffect(() => {
    if (isOpen && said !== far) change('far', far)
  }, [isOpen, said, far, change])
  const centre = city && {
    lng_e6: Math.round(Number(city.lng) * 1e6),
    lat_e6: Math.round(Number(city.lat) * 1e6),
  }
  return { name: city?.city_name ?? '', centre: centre ?? answers?.pin ?? NOWHERE, far }
}
type Near = Result<typeof calls.checkDuplicate>
const Place = ({
  of,
  place,
  near,
  at,
}: {
  of: FormState
  place: ReturnType<typeof usePlace>
  near: Near | undefined
  at: RefObject<HTMLDivElement | null>
}) => {
  const say = useSay()
  const answers = of.answers as unknown as MallAnswers
  const others = useMemo(
    () =>
      (near?.list ?? [])
        .filter(one => one.lng_e6 !== 0)
        .map(({ id, name, lng_e6, lat_e6 }) => ({ id, name, pin: { lng_e6, lat_e6 } })),
    [near],
  )
  return (
    <fieldset>
      <legend>{say(['位置', 'Place'])}</legend>
      <FormFields of={of} names={['district']} />
      <FormFields of={of} names={['address']} wide />
      <div className="m-fp-wide" ref={at}>
        <MapPin
          label={say(['商场位置', 'Where it stands'])}
          value={answers.pin ?? null}
          onChange={next => of.change('pin', next ?? undefined)}
          centre={place.centre}
          place={place.name}
          others={others}
          onAddress={address => {
            if (!answers.address) of.change('address', address.slice(0, 120))
          }}
        />
        {place.far && (
          <div className="m-error" role="alert">
            {say(
              [
                '坐标不在{city}范围内：请核对，或写明原因后保存',
                'The pin is outside {city}: check it, or say why',
              ],
              { city: place.name },
            )}
          </div>
        )}
      </div>
      <FormFields of={of} names={['pin_reason']} wide />
    </fieldset>
  )
}
const Form = (known: Known) => {
  const { now } = known
  const say = useSay()
  const { run, toast } = useWorkbench()
  const { id: pane } = usePane()
  const { data } = useRead(cityList, { simp: 0, page: 1, pageSize: 100 })
  const coded = data as Coded
  const { form, rows, publish } = useMallForm(known, coded)
  const [isPreviewing, setPreviewing] = usePaneState('preview', true)
  const toggle = () => setPreviewing(!isPreviewing)
  const [began] = form.rows as readonly MallProfile[]
  const answers = form.answers as unknown as MallAnswers | undefined
  const place = usePlace(form, coded)
  const near = useNear(answers, began)
  const at = useRef<HTMLDivElement>(null)
  useSubject(useMemo(() => ({ rows }), [rows]))
  useAction(formActions.saveDraft, form.go)
  useAction(formActions.submit, form.go)
  useAction(formActions.publish, publish)
  useAction(formActions.preview, toggle)
  useAction(formActions.locate, () => {
    at.current?.scrollIntoView({ block: 'center' })
    at.current?.querySelector<HTMLElement>('[role=application], input')?.focus()
  })
  useAction(formActions.checkDuplicate, () => {
    near.refetch()
    document.getElementById('ml-near')?.scrollIntoView({ block: 'nearest' })
    const n = near.data?.list.length ?? 0
    toast(
      n > 0
        ? say(['附近或同名的商场有 {n} 个', '{n} near by or of the same name'], { n })
        : say(['没有发现重复', 'No duplicates found']),
      n > 0 ? 'warning' : 'success',
    )
  })
  useAction(mallActions.setMallOptions, () => {
    if (now) void run(mallActions.setMallOptions, [now], { pane })
  })
  useUnsaved(form)
  if (!answers) return <Loading lines={16} />
  const isDraft = !began || began.status === 'draft'
  return (
    <FormPage
      actions={[
        ...Object.values(formActions).filter(one => isDraft || one !== formActions.saveDraft),
        ...(began ? [mallActions.setMallOptions] : []),
      ]}
      rows={rows}
      notes={
        <>
          {began && <Badge>{say(mallStates[began.status])}</Badge>}
          <FormNotes of={form} />
        </>
      }
      aside={
        <>
          <Completeness of={answers} now={began} />
          <NearMalls of={near.data} />
          <MallPreview of={answers} now={now} isOpen={isPreviewing} toggle={toggle} />
        </>
      }
    >
      <PageForm of={form} label={say(['商场资料', 'Mall form'])}>
        <fieldset>
          <legend>{say(['基本资料', 'Basics'])}</legend>
          <FormFields of={form} names={['name', 'short_name', 'kind', 'city', 'phone']} />
        </fieldset>
        <Place of={form} place={place} near={near.data} at={at} />
        <fieldset>
          <legend>{say(['营业', 'Trade'])}</legend>
          <div className="m-fp-wide">
            <HoursField
              id={form.idOf('hours')}
              value={{ week: answers.hours ?? [] }}
              change={({ week }) => form.change('hours', week)}
              fault={form.refused?.fields?.['hours']}
            />
          </div>
          <FormFields of={form} names={['logo']} />
          <FormFields of={form} names={['covers']} wide />
        </fieldset>
        <fieldset>
          <legend>{say(['停车与设施', 'Parking and facilities'])}</legend>
          <FormFields of={form} names={['parking_note', 'facility_note']} />
          <FormFields of={form} names={['intro']} wide />
        </fieldset>
      </PageForm>
    </FormPage>
  )
}
