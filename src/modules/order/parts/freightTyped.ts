import { ask } from '#commands/command.ts'
import {
  areasOf,
  areaWords,
  freightFaults,
  freightModes,
  type FreightMode,
  type FreightTemplate,
} from '#src/areas/shipping/freight.ts'
import { centsOf, yuan } from '#src/domain/money.ts'
import { clause, colon, semicolon, type Text } from '#src/domain/text.ts'
import type { Say } from '#src/kit/text.ts'
import type { TemplateRow } from '../contract/settings.ts'

export const unitOf = (mode: FreightMode): Text => freightModes[mode].unit
/** A group of places and its fees as they are typed: text until it reads as a value. */
export type Typed = {
  areas: string
  first: string
  first_yuan: string
  next: string
  next_yuan: string
}
export type TypedFree = { areas: string; over_yuan: string; over_units: string }
export type Answers = {
  name?: string
  mode?: FreightMode
  regions: Typed[]
  free_rules: TypedFree[]
  no_delivery: string
}
const plain = (cents: number | undefined) =>
  cents === undefined ? '' : yuan(cents).replaceAll(',', '')
const typedOf = (
  row: TemplateRow | undefined,
): Pick<Answers, 'regions' | 'free_rules' | 'no_delivery'> => ({
  regions: row?.regions.map(one => ({
    areas: areaWords(one.areas),
    first: `${one.first}`,
    first_yuan: plain(one.first_cents),
    next: `${one.next}`,
    next_yuan: plain(one.next_cents),
  })) ?? [{ areas: '', first: '1', first_yuan: '', next: '1', next_yuan: '' }],
  free_rules:
    row?.free_rules.map(one => ({
      areas: areaWords(one.areas),
      over_yuan: plain(one.over_cents),
      over_units: one.over_units === undefined ? '' : `${one.over_units}`,
    })) ?? [],
  no_delivery: row && row.no_delivery.length > 0 ? areaWords(row.no_delivery) : '',
})
const int = (typed: string) =>
  /^\d{1,9}$/.test(typed.normalize('NFKC').trim())
    ? Number(typed.normalize('NFKC').trim())
    : Number.NaN
export const readTyped = (of: Answers): FreightTemplate => ({
  mode: of.mode ?? 'piece',
  no_delivery: areasOf(of.no_delivery).areas,
  regions: of.regions.map(one => ({
    areas: areasOf(one.areas).areas,
    first: int(one.first),
    first_cents: centsOf(one.first_yuan) ?? Number.NaN,
    next: int(one.next),
    next_cents: centsOf(one.next_yuan) ?? Number.NaN,
  })),
  free_rules: of.free_rules.map(one => ({
    areas: areasOf(one.areas).areas,
    ...(one.over_yuan.trim() && { over_cents: centsOf(one.over_yuan) ?? Number.NaN }),
    ...(one.over_units.trim() && { over_units: int(one.over_units) }),
  })),
})
/**
 * Every fault of what is typed, by its field: words that are no place first, then what the
 * template's own rules say.
 */
export const faultsOf = (of: Answers): Record<string, Text> => {
  const faults: Record<string, Text> = {}
  const look = (at: string, typed: string) => {
    const { unknown } = areasOf(typed)
    if (unknown.length > 0)
      faults[at] = [
        `无法识别：${unknown.slice(0, 5).join('、')}`,
        `Not known: ${unknown.slice(0, 5).join(', ')}`,
      ]
  }
  of.regions.forEach((one, n) => look(`regions.${n}.areas`, one.areas))
  of.free_rules.forEach((one, n) => look(`free_rules.${n}.areas`, one.areas))
  look('no_delivery', of.no_delivery)
  for (const { at, text } of freightFaults(readTyped(of))) faults[at] ??= text
  return faults
}

export const asks = {
  name: ask.text({ label: ['模板名称', 'Name'], max: 64, initial: rows => rows[0]?.name }),
  mode: ask.choice({
    label: ['计费方式', 'Counted'],
    options: Object.fromEntries(
      Object.entries(freightModes).map(([key, { title }]) => [key, title]),
    ),
    initial: rows => rows[0]?.mode ?? 'piece',
  }),
}
export const givenFrom = ([of]: readonly TemplateRow[]) => typedOf(of)
/** What the form holds beside its questions. */
export const besides = {
  regions: {
    label: ['地区运费', 'Fees by place'],
    told: (of: readonly Typed[], say: Say) =>
      of
        .map(
          one =>
            `${one.areas}${say(colon)}${one.first} / ¥${one.first_yuan}${say(clause)}${one.next} / ¥${one.next_yuan}`,
        )
        .join(say(semicolon)),
  },
  free_rules: {
    label: ['包邮条件', 'Free from'],
    told: (of: readonly TypedFree[], say: Say) =>
      of
        .map(
          one =>
            `${one.areas}${say(colon)}${[one.over_yuan && `¥${one.over_yuan}`, one.over_units].filter(Boolean).join(' + ')}`,
        )
        .join(say(semicolon)) || '—',
  },
  no_delivery: {
    label: ['不配送地区', 'No-delivery areas'],
    told: (of: string) => of || '—',
  },
} as const
