<?php

declare(strict_types=1);

namespace PaymentGateway;

/** Says which mistake made a wrong `sign`, on your machine. It tries each known mistake and their combinations. */
final class ExplainSign
{
    /**
     * `$body`: the request with its `sign`, as you sent it. `mistakes` is empty if the signature is right, and null if it is
     * wrong in an unknown way. In `expected`, `[key]` stands for your key.
     *
     * @param array<string, string|int> $body
     * @return array{mistakes: list<string>|null, expected: string}
     */
    public static function explain(array $body, #[\SensitiveParameter] string $apiKey): array
    {
        $sign = $body['sign'] ?? '';
        unset($body['sign']);
        $all = array_map(strval(...), $body);
        $names = PayoutMethods::COVERED[(int) ($body['method'] ?? 0)] ?? null;
        $covered = $names === null ? $all : array_intersect_key($all, array_flip($names));
        $best = null;
        foreach (self::joins($covered, $all) as [$joinMistake, $joined]) {
            foreach (self::places($joined, $apiKey) as $placeMistake => $text) {
                foreach (self::hashes($text) as $hashMistake => $hash) {
                    $mistakes = array_values(array_filter([$joinMistake, $placeMistake, $hashMistake]));
                    if ($hash === $sign && ($best === null || count($mistakes) < count($best))) {
                        $best = $mistakes;
                    }
                }
            }
        }
        return ['mistakes' => $best, 'expected' => implode(':', self::sorted($covered)) . ':[key]'];
    }

    /**
     * @param array<string, string> $fields
     * @return array<string, string>
     */
    private static function sorted(array $fields): array
    {
        ksort($fields, SORT_STRING);
        return $fields;
    }

    /**
     * The first row is right.
     *
     * @param array<string, string> $covered
     * @param array<string, string> $all
     * @return list<array{string, string}>
     */
    private static function joins(array $covered, array $all): array
    {
        $sorted = self::sorted($covered);
        $byValue = array_values($covered);
        sort($byValue, SORT_STRING);
        $pairs = array_map(static fn ($name, $value) => "$name=$value", array_keys($sorted), $sorted);
        $written = static fn (callable $write) => implode(':', array_map($write, $sorted));
        $rows = [
            ['', implode(':', $sorted)],
            ['all_fields: the signature covers every field, also uncovered ones', implode(':', self::sorted($all))],
            ['as_sent: the values are in the order of the body, not sorted by field name', implode(':', $covered)],
            ['sorted_by_value: the values are sorted, not the field names', implode(':', $byValue)],
            ['sorted_backwards: the fields are sorted backwards', implode(':', array_reverse($sorted))],
            ['names_with_values: names are signed with the values', implode('&', $pairs)],
            ['names_not_values: names are signed, not values', implode(':', array_keys($sorted))],
            ['no_separator: the colons between the values are missing', implode('', $sorted)],
            ['all_lower_case: the values are written in lower case', $written(strtolower(...))],
            ['percent_encoded_values: the values are percent-encoded', $written(rawurlencode(...))],
            [
                'escaped_slashes: slashes are escaped, as json_encode does',
                $written(static fn ($value) => str_replace('/', '\\/', $value)),
            ],
            ['spaces_removed: spaces are removed', $written(static fn ($value) => str_replace(' ', '', $value))],
        ];
        foreach (['|', ',', '&', ';', ' '] as $separator) {
            $text = 'other_separator: the values are joined by a separator other than a colon';
            $rows[] = [$text, implode($separator, $sorted)];
        }
        foreach (array_keys($sorted) as $name) {
            $rest = array_diff_key($sorted, [$name => '']);
            $rows[] = ["missing_field: the field $name is not signed", implode(':', $rest)];
        }
        return $rows;
    }

    /** @return array<string, string> */
    private static function places(string $joined, #[\SensitiveParameter] string $key): array
    {
        return [
            '' => "$joined:$key",
            'no_key: the key is missing at the end' => $joined,
            'no_colon_before_key: the colon before the key is missing' => $joined . $key,
            'trailing_colon: a colon follows the key' => "$joined:$key:",
            'leading_colon: a colon precedes the first value' => ":$joined:$key",
            'double_colon: two colons precede the key' => "$joined::$key",
            'key_first: the key comes first' => "$key:$joined",
            'key_on_both_sides: the key is at both ends' => "$key:$joined:$key",
            'key_with_line_end: a line end follows the key, as files leave it' => "$joined:$key\n",
        ];
    }

    /** @return array<string, string> */
    private static function hashes(string $text): array
    {
        $hex = md5($text);
        $right = base64_encode(md5($text, true));
        return [
            '' => $right,
            'hex_not_base64: the hash is hexadecimal, not base64' => $hex,
            'upper_hex: the hash is upper-case hexadecimal' => strtoupper($hex),
            'base64_of_hex: base64 covers the hexadecimal text, not the 16 bytes' => base64_encode($hex),
            'base64_twice: base64 is applied twice' => base64_encode($right),
            'base64_url: the alphabet is base64url' => rtrim(strtr($right, '+/', '-_'), '='),
            'no_padding: the signs = at the end are missing' => rtrim($right, '='),
            'sha1: the hash is SHA-1, not MD5' => base64_encode(sha1($text, true)),
            'sha256: the hash is SHA-256, not MD5' => base64_encode(hash('sha256', $text, true)),
            'double_md5: MD5 is applied twice' => base64_encode(md5($hex, true)),
        ];
    }
}
