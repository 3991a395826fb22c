<?php

/** Answers each line of the conformance test (JSON) by calling the SDK: one line of JSON per call. */

declare(strict_types=1);

use PaymentGateway\Callback;
use PaymentGateway\ExplainSign;
use PaymentGateway\Gateway;

spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/../src/' . str_replace('PaymentGateway\\', '', $class) . '.php';
});

function perform(array $request): mixed
{
    ['call' => $call, 'args' => $args, 'apiKey' => $key] = $request;
    if ($call === 'verifyCallback') {
        $callback = Callback::verify($args['body'], $args['headers'], $key, now: $args['now']);
        return ['kind' => $callback->kind, 'id' => $callback->id, 'fields' => $callback->fields];
    }
    if ($call === 'explainSign') {
        return ExplainSign::explain($args, $key);
    }
    $pause = static function (float $seconds): void {
    };
    $gateway = new Gateway($request['baseUrl'], $request['merchant'], $key, $request['formKey'], 10, sleep: $pause);
    return match ($call) {
        'sendPayout' => $gateway->sendPayout($args),
        'payoutStatus' => $gateway->payoutStatus($args['payout_id']),
        'balance' => $gateway->balance($args['currency']),
        'payments' => iterator_to_array(
            $gateway->payments($args['type'], $args['currency'], $args['start_date'], $args['finish_date']),
            false,
        ),
        'createDeposit' => $gateway->createDeposit(
            $args['order'],
            $args['amount'],
            $args['user_id'],
            $args['first_name'],
            $args['last_name'],
        ),
        'formLink' => $gateway->formLink($args),
    };
}

while (($line = fgets(STDIN)) !== false) {
    try {
        $answer = ['result' => perform(json_decode($line, true, 16, JSON_THROW_ON_ERROR))];
    } catch (\Throwable $error) {
        $parts = explode('\\', $error::class);
        $answer = ['error' => end($parts), 'message' => $error->getMessage()];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES), "\n";
}
