/** A point, in 1/1000000 degree. */
export type Pin = { lng_e6: number; lat_e6: number }
/** Metres between two points (haversine). */
export const metres = (a: Pin, b: Pin): number => {
  const rad = (e6: number) => (e6 / 1e6) * (Math.PI / 180)
  const [dLat, dLng] = [rad(b.lat_e6 - a.lat_e6), rad(b.lng_e6 - a.lng_e6)]
  const h =
    Math.sin(dLat / 2) ** 2 +
    Math.cos(rad(a.lat_e6)) * Math.cos(rad(b.lat_e6)) * Math.sin(dLng / 2) ** 2
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(h)))
}
/**
 * How far a city reaches from its centre for the pin's check. Division borders are the map
 * service's; without it a pin further out is asked about.
 */
export const CITY_REACH_M = 60_000
/** The centre is a decimal text, as the map service speaks it. */
export const inCity = (pin: Pin, centre: { lng: string; lat: string }): boolean =>
  metres(pin, {
    lng_e6: Math.round(Number(centre.lng) * 1e6),
    lat_e6: Math.round(Number(centre.lat) * 1e6),
  }) <= CITY_REACH_M
