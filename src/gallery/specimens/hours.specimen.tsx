import { useState } from 'react'
import { noHours, type StoreHours } from '#src/areas/merchant/storeHours.ts'
import { HoursField } from '#src/kit/hours.tsx'
import type { Specimen } from '../specimen.ts'

const whole: StoreHours = {
  week: [
    { weekdays: [1, 2, 3, 4, 5], from: '10:00', to: '22:00' },
    { weekdays: [6, 7], from: '09:30', to: '02:00' },
  ],
  holidays: [{ date: '2026-10-01', from: '', to: '' }],
}
const Drawn = ({ of, fault }: { of: StoreHours; fault?: string }) => {
  const [value, change] = useState(of)
  return <HoursField value={value} change={change} fault={fault} />
}
export const specimen: Specimen = {
  part: 'hours',
  title: ['营业时间', 'Opening hours'],
  states: [
    { name: ['还没有', 'None yet'], draw: () => <Drawn of={noHours} /> },
    { name: ['周中、周末与节假日', 'Week, weekend, holiday'], draw: () => <Drawn of={whole} /> },
    {
      name: ['服务端指出有误', 'Refused'],
      draw: () => <Drawn of={whole} fault="周六的营业时间重叠" />,
    },
  ],
}
