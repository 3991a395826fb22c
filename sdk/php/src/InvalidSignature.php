<?php

declare(strict_types=1);

namespace PaymentGateway;

/** A callback is forged, altered, or too old. Return HTTP 400. */
final class InvalidSignature extends \RuntimeException
{
}
