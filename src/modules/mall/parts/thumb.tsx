import { Picture } from '#src/kit/image.tsx'
import './mall.css'

/** A small picture, or its name's first letter where there is none. */
export const Thumb = ({ of, name }: { of: string; name: string }) => (
  <span className="ml-thumb" aria-hidden="true">
    {of ? <Picture of={of} label={name} /> : [...name][0]}
  </span>
)
