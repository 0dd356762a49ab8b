import { Document, Media } from '@blueprintjs/icons'
import { useState } from 'react'
import { useSay } from './text.ts'

/** The address of a stored picture: a key below the upload domain, or an address as it stands. */
export const imageUrl = (key: string): string =>
  /^(https?:)?\//.test(key) ? key : `/uploads/${key}`

/** A picture that says so when it can't be shown, and keeps its place either way. */
export const Picture = ({ of, label }: { of: string; label: string }) => {
  const say = useSay()
  const [lost, setLost] = useState(false)
  return lost ? (
    <span className="m-lost">{say(['无法显示', 'Not available'])}</span>
  ) : (
    <img
      src={imageUrl(of)}
      alt={label}
      loading="lazy"
      decoding="async"
      onError={() => setLost(true)}
    />
  )
}

/** A stored file as a form shows it: a picture, or the name of a file of another kind. */
export const Stored = ({ of, label }: { of: string; label: string }) =>
  /\.(?:png|jpe?g|webp)$/i.test(of) || /^(https?:)?\//.test(of) ? (
    <Picture of={of} label={label} />
  ) : (
    <a className="m-stored" href={imageUrl(of)} target="_blank" rel="noreferrer">
      <Document size={14} aria-hidden="true" /> {of.split('.').at(-1)?.toUpperCase()}
    </a>
  )
/** What an item looks like, above its facts; nothing of one without a picture. */
export const Portrait = ({ of, label }: { of: string | null | undefined; label: string }) =>
  of ? (
    <div className="m-portrait">
      <Picture of={of} label={label} />
    </div>
  ) : null

/**
 * A picture as high as a row of a list, before the name it belongs to; a neutral sign where there
 * is none. A screen reader hears the name alone. Where rows are low it is not shown, nor fetched.
 */
export const Thumb = ({ of }: { of: string | null | undefined }) => {
  const [lost, setLost] = useState(false)
  return (
    <span className="m-thumb" aria-hidden="true">
      {of && !lost ? (
        <img
          src={imageUrl(of)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setLost(true)}
        />
      ) : (
        <Media size={12} tagName={null} />
      )}
    </span>
  )
}
