import QRCode from 'qrcode'

/** A text as a QR code: the address of a picture, so many pixels wide. */
export const codePicture = async (
  text: string,
  { size, format }: { size: number; format: 'svg' | 'png' },
): Promise<string> => {
  // A picture of a mall may be put over a part of it, so much of it may be lost.
  const how = { width: size, margin: 1, errorCorrectionLevel: 'Q' } as const
  if (format === 'png') return QRCode.toDataURL(text, how)
  const svg = await QRCode.toString(text, { ...how, type: 'svg' })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
