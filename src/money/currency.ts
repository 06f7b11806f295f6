/**
 * Money: exact integers, currencies and rounding. No I/O, and no floating-point amount anywhere.
 *
 * Currencies of ISO 4217 by the number of digits after their point, and six codes whose amounts are kept without any.
 */
const codesByFractionDigits: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF CZK0 HUF0 ILS0 KZT0 TRY0 TWD0',
  2:
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF ' +
    'CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK ' +
    'HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR ' +
    'MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP ' +
    'SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ' +
    'ZAR ZMW ZWG ZWL',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const fractionDigitsByCode = new Map(
  Object.entries(codesByFractionDigits).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)]),
  ),
);

/** Digits after the point of a currency's amounts; undefined when there is no such currency. */
export function fractionDigitsOf(currencyCode: string): number | undefined {
  return fractionDigitsByCode.get(currencyCode);
}

export const currencyCodes: readonly string[] = [...fractionDigitsByCode.keys()];
