/**
 * The approximate center of each country of ISO 3166-1 and of Kosovo (XK), as latitude and longitude in half degrees: of the largest
 * landmass if it is most of the country (for France the European part), of the most populated part for scattered islands.
 */
const CENTERS = `AD 42.5 1.5, AE 24 54.5, AF 34 66, AG 17 -62, AI 18 -63, AL 41 20, AM 40.5 45, AO -12.5 17.5, AQ -80 0,
  AR -34.5 -64.5, AS -14.5 -170.5, AT 47.5 14, AU -25.5 134, AW 12.5 -70, AX 60 20, AZ 40.5 47.5, BA 44 18,
  BB 13 -59.5, BD 24 90, BE 50.5 4.5, BF 12.5 -2, BG 43 25, BH 26 50.5, BI -3.5 30, BJ 9.5 2.5, BL 18 -63,
  BM 32.5 -65, BN 4.5 114.5, BO -16.5 -64.5, BQ 12 -68.5, BR -10.5 -53, BS 24 -76.5, BT 27.5 90.5, BV -54.5 3.5,
  BW -22 24, BY 53.5 28, BZ 17 -88.5, CA 58.5 -99, CC -12 97, CD -3 23.5, CF 6.5 20.5, CG -1 15, CH 47 8,
  CI 7.5 -5.5, CK -20 -159, CL -34 -71, CM 5.5 12.5, CN 37 103.5, CO 4 -73, CR 10 -84, CU 21.5 -79, CV 16 -24,
  CW 12 -69, CX -10.5 105.5, CY 35 33, CZ 49.5 15.5, DE 51 10.5, DJ 11.5 42.5, DK 56 9.5, DM 15.5 -61.5,
  DO 19 -70.5, DZ 28 2.5, EC -1.5 -78.5, EE 58.5 26, EG 26.5 30, EH 24 -12.5, ER 15.5 39, ES 40.5 -3.5,
  ET 8.5 39.5, FI 64.5 26, FJ -18 178, FK -51.5 -59.5, FM 7 158, FO 62 -7, FR 46.5 2.5, GA -0.5 12, GB 54 -2.5,
  GD 12 -61.5, GE 42 43.5, GF 4 -53, GG 49.5 -2.5, GH 8 -1, GI 36 -5.5, GL 73 -42, GM 13.5 -15.5, GN 10.5 -11,
  GP 16.5 -61.5, GQ 1.5 10.5, GR 39.5 22.5, GS -54.5 -36.5, GT 15.5 -90.5, GU 13.5 145, GW 12 -15, GY 5 -59,
  HK 22.5 114, HM -53 73.5, HN 15 -86.5, HR 45 16.5, HT 19 -72.5, HU 47 19.5, ID -2.5 117, IE 53 -8, IL 31.5 35,
  IM 54 -4.5, IN 23 79.5, IO -7.5 72.5, IQ 33 44, IR 32.5 54.5, IS 65 -18.5, IT 43.5 12.5, JE 49 -2, JM 18 -77.5,
  JO 31 37, JP 36.5 138, KE 0.5 38, KG 41.5 74.5, KH 12.5 105, KI 1.5 173, KM -11.5 43.5, KN 17.5 -63, KP 40 127,
  KR 36.5 128, KW 29.5 47.5, KY 19.5 -81.5, KZ 48.5 67.5, LA 18.5 104, LB 34 36, LC 14 -61, LI 47 9.5, LK 7.5 80.5,
  LR 6.5 -9.5, LS -29.5 28, LT 55.5 24, LU 50 6, LV 57 25, LY 27 18, MA 32 -6.5, MC 43.5 7.5, MD 47 28.5, ME 43 19,
  MF 18 -63, MG -19.5 46.5, MH 7 171, MK 41.5 21.5, ML 17.5 -3.5, MM 21 96.5, MN 47 103, MO 22 113.5, MP 16 145.5,
  MQ 14.5 -61, MR 20 -10.5, MS 16.5 -62, MT 36 14.5, MU -20.5 57.5, MV 4 73.5, MW -13 34.5, MX 24 -102, MY 4 109.5,
  MZ -17 35.5, NA -22 17, NC -21.5 165.5, NE 17.5 9.5, NF -29 168, NG 9.5 8, NI 13 -85, NL 52.5 5.5, NO 64 12.5,
  NP 28.5 84, NR -0.5 167, NU -19 -170, NZ -41.5 173, OM 20.5 56, PA 8.5 -80, PE -9 -74.5, PF -17.5 -149.5,
  PG -6.5 144, PH 11.5 123, PK 30 69, PL 52 19.5, PM 47 -56.5, PN -24.5 -128.5, PR 18 -66.5, PS 32 35, PT 39.5 -8,
  PW 7.5 134.5, PY -23 -58.5, QA 25.5 51, RE -21 55.5, RO 46 25, RS 44 21, RU 65.5 95, RW -2 30, SA 24 44.5,
  SB -9 159.5, SC -4.5 55.5, SD 16 30, SE 62.5 16.5, SG 1.5 104, SH -16 -5.5, SI 46 15, SJ 78.5 18, SK 48.5 19.5,
  SL 8.5 -12, SM 44 12.5, SN 14.5 -14.5, SO 4.5 45.5, SR 4 -56, SS 7.5 30.5, ST 0 6.5, SV 13.5 -89, SX 18 -63,
  SY 35 38.5, SZ -26.5 31.5, TC 22 -72, TD 15.5 18.5, TF -49.5 69.5, TG 8.5 1, TH 15 101, TJ 38.5 71, TK -9 -172,
  TL -9 126, TM 39 59.5, TN 34 9.5, TO -20 -175, TR 39 35.5, TT 10.5 -61.5, TV -8 178.5, TW 23.5 121, TZ -6.5 35,
  UA 49 31.5, UG 1.5 32.5, UM 19.5 166.5, US 40 -99, UY -33 -56, UZ 42 63.5, VA 42 12.5, VC 13.5 -61, VE 7 -66,
  VG 18.5 -64.5, VI 17.5 -65, VN 16.5 106.5, VU -16 167.5, WF -13.5 -177, WS -14 -172, XK 42.5 21, YE 16 47.5,
  YT -13 45, ZA -29 25, ZM -13.5 28, ZW -19 30`

/** Latitude and longitude in degrees, north and east positive. */
export type Place = readonly [latitude: number, longitude: number]

const places: ReadonlyMap<string, Place> = new Map(
  CENTERS.split(/,\s+/).map((entry) => {
    const [code = '', latitude, longitude] = entry.split(' ')
    return [code, [Number(latitude), Number(longitude)]]
  }),
)

/** @param country ISO 3166-1 alpha-2, in upper case. Returns undefined for an unknown code. */
export const centerOf = (country: string): Place | undefined => places.get(country)
